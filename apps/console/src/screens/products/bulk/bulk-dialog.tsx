import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FormDialog } from '../../../parts/form-dialog.tsx'
import type { DialogProps } from '../../../parts/use-dialog.tsx'
import { BulkPreview } from './bulk-preview.tsx'
import { previewQuery, type BulkSelection } from './bulk-queries.ts'
import { changeOf, emptyDraft, type BulkActionName, type ChangeFieldsProps } from './change-draft.ts'
import { CategoryFields, TagFields } from './list-fields.tsx'
import { PriceFields } from './price-fields.tsx'
import { useStartBulkEdit } from './use-start-bulk-edit.ts'

const PREVIEW_AFTER_MS = 250

interface BulkDialogProps extends DialogProps {
  action: BulkActionName
  products: BulkSelection
  /** How many products are selected. */
  count: number
  categoryNames: ReadonlyMap<string, string>
  onStarted: () => void
}

/** Takes what a bulk edit needs, shows what it would do, and starts it. */
export function BulkDialog(props: BulkDialogProps): ReactNode {
  const { opened, action, products, count, categoryNames, onStarted, onClose } = props
  const { t } = useTranslation()
  const [draft, setDraft] = useState(() => emptyDraft(action))
  const change = useMemo(() => changeOf(action, draft), [action, draft])
  const [settled] = useDebouncedValue(change, PREVIEW_AFTER_MS)
  const preview = useQuery({ ...previewQuery(products, settled), enabled: opened && settled !== undefined })
  const start = useStartBulkEdit()
  const isOld = settled !== change || preview.isPlaceholderData
  const changed = preview.data?.changed ?? 0

  return (
    <FormDialog
      opened={opened}
      size="xl"
      title={t(`products.bulk.title.${action}`, { count })}
      action={
        change && preview.data && !isOld
          ? t('products.bulk.action', { count: changed })
          : t('products.bulk.actionWaits')
      }
      isPending={start.isPending}
      isDisabled={!change || isOld || changed === 0}
      error={start.error}
      onClose={onClose}
      onSubmit={() => {
        if (!change || isOld || changed === 0 || start.isPending) return
        start.mutate({ products, change }, { onSuccess: onStarted })
      }}
    >
      <ChangeFields
        action={action}
        draft={draft}
        onChange={(fields) => setDraft((before) => ({ ...before, ...fields }))}
      />
      <BulkPreview
        preview={preview.data}
        isOld={isOld}
        error={preview.error}
        isWanted={change !== undefined}
        categoryNames={categoryNames}
      />
    </FormDialog>
  )
}

/** What has to be entered for a bulk edit; nothing for some. */
function ChangeFields({ action, ...props }: ChangeFieldsProps & { action: BulkActionName }): ReactNode {
  if (action === 'sale' || action === 'price') return <PriceFields isSale={action === 'sale'} {...props} />
  if (action === 'tags') return <TagFields {...props} />
  return action === 'categories' ? <CategoryFields {...props} /> : null
}
