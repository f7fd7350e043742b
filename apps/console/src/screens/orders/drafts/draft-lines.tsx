import { Button, Group, NativeSelect, NumberInput, Stack, Text } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { PlusIcon } from '@radix-ui/react-icons'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Card } from '../../../parts/card.tsx'
import { EmptyState } from '../../../parts/empty-state.tsx'
import { RemoveButton } from '../../../parts/remove-button.tsx'
import { formatMoney } from '../../../parts/money.ts'
import { noticeFailure } from '../../../parts/notices.ts'
import { SELECT_ON_FOCUS } from '../../../parts/select-on-focus.ts'
import { useDialog } from '../../../parts/use-dialog.tsx'
import { ProductPicker } from '../../../parts/product-picker.tsx'
import type { DraftValues, LineValues } from './draft-values.ts'
import type { DraftQuote } from './drafts-queries.ts'
import { linesOfProducts } from './picked-lines.ts'

/** The shop takes no more units in one line. */
const MAX_QUANTITY = 999

interface DraftLinesProps {
  form: UseFormReturnType<DraftValues>
  isLocked: boolean
  quote: DraftQuote | undefined
}

/** What the buyer gets. */
export function DraftLines({ form, isLocked, quote }: DraftLinesProps): ReactNode {
  const { t } = useTranslation()
  const picker = useDialog<undefined>()
  const { lines } = form.values
  const change = (next: LineValues[]): void => form.setFieldValue('lines', next)

  async function add(slugs: string[]): Promise<void> {
    try {
      const more = await linesOfProducts(slugs, t('draftOrders.soldOut'))
      change([...form.getValues().lines, ...more])
    } catch (error) {
      noticeFailure(error)
    }
  }

  const action = !isLocked && (
    <Button leftSection={<PlusIcon />} onClick={() => picker.open(undefined)}>
      {t('common.pickProducts.title')}
    </Button>
  )
  return (
    <Card title={t('orders.items.title')} action={lines.length > 0 && action}>
      {lines.length === 0 && <EmptyState title={t('draftOrders.noItems')} action={action} />}
      <Stack gap="sm" role="list" aria-label={t('orders.items.title')}>
        {lines.map((line, place) => (
          <Line
            key={place}
            line={line}
            isLocked={isLocked}
            total={quote?.lines.find(({ variantId }) => variantId === line.variantId)?.lineTotal}
            onChange={(changed) => change(lines.with(place, { ...line, ...changed }))}
            onRemove={() => change(lines.toSpliced(place, 1))}
          />
        ))}
      </Stack>
      {picker.render((dialog) => (
        // Another variant of the same product is another line.
        <ProductPicker {...dialog} placed={[]} onAdd={(slugs) => void add(slugs)} />
      ))}
    </Card>
  )
}

interface LineProps {
  line: LineValues
  isLocked: boolean
  total: DraftQuote['total'] | undefined
  onChange: (changed: Partial<LineValues>) => void
  onRemove: () => void
}

function Line({ line, isLocked, total, onChange, onRemove }: LineProps): ReactNode {
  const { t } = useTranslation()
  const { title, options, choices, variantId, quantity } = line
  return (
    <Group role="listitem" justify="space-between" gap="sm" align="center">
      <div>
        <Text fw={600}>{title}</Text>
        {choices.length > 1 && !isLocked ? (
          <NativeSelect
            size="xs"
            mt={4}
            aria-label={t('draftOrders.variantOf', { title })}
            data={choices.map((choice) => ({ ...choice }))}
            value={variantId}
            onChange={({ currentTarget: { value } }) => onChange({ variantId: value })}
          />
        ) : (
          options !== '' && <Text className="small dimmed">{options}</Text>
        )}
      </div>
      <Group gap="xs" wrap="nowrap">
        {isLocked ? (
          <Text>{quantity} ×</Text>
        ) : (
          <NumberInput
            {...SELECT_ON_FOCUS}
            aria-label={t('draftOrders.quantityOf', { title })}
            w={84}
            min={1}
            max={MAX_QUANTITY}
            clampBehavior="strict"
            allowDecimal={false}
            allowNegative={false}
            value={quantity}
            onChange={(value) => onChange({ quantity: value })}
          />
        )}
        <Text className="number" w={96} ta="end">
          {total ? formatMoney(total) : ''}
        </Text>
        {!isLocked && <RemoveButton label={t('draftOrders.remove', { title })} onClick={onRemove} />}
      </Group>
    </Group>
  )
}
