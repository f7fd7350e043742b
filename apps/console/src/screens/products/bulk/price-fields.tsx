import { Checkbox, Group, NumberInput, SegmentedControl, Select } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { decimalSeparator } from '../../../parts/amounts.ts'
import { highestPercent, type ChangeFieldsProps } from './change-draft.ts'
import { digitsOf } from './change-sentence.ts'

/** Digits that prices usually end in. */
const ENDINGS = [0, 49, 50, 90, 95, 99]

interface PriceFieldsProps extends ChangeFieldsProps {
  /** A sale always lowers prices. */
  isSale: boolean
}

/** By how much prices change, and how the new ones look. */
export function PriceFields({ isSale, draft, onChange }: PriceFieldsProps): ReactNode {
  const { t } = useTranslation()
  const { direction, percent, keepsFormer } = draft
  const highest = highestPercent(draft)
  const rangeFault = (entered: number): string | undefined => {
    if (entered > highest) return t('products.bulk.tooMuch', { highest })
    return entered > 0 ? undefined : t('products.bulk.tooLittle')
  }
  return (
    <>
      <Group align="flex-end" gap="sm">
        {!isSale && (
          <SegmentedControl
            aria-label={t('products.bulk.direction')}
            value={direction}
            onChange={(next) => onChange({ direction: next === 'raise' ? 'raise' : 'lower' })}
            data={[
              { value: 'lower', label: t('products.bulk.lower') },
              { value: 'raise', label: t('products.bulk.raise') },
            ]}
          />
        )}
        <NumberInput
          label={t(isSale ? 'products.bulk.percentOff' : 'products.bulk.percent')}
          data-autofocus
          value={percent}
          onChange={(value) => onChange({ percent: value })}
          error={typeof percent === 'number' && rangeFault(percent)}
          suffix=" %"
          min={0}
          clampBehavior="none"
          decimalScale={2}
          decimalSeparator={decimalSeparator()}
          hideControls
          w={130}
        />
        <RoundingField draft={draft} onChange={onChange} />
      </Group>
      {direction === 'lower' && (
        <Checkbox
          label={t('products.bulk.keepFormer')}
          description={t('products.bulk.keepFormerHint')}
          checked={keepsFormer}
          onChange={(event) => onChange({ keepsFormer: event.currentTarget.checked })}
        />
      )}
    </>
  )
}

function RoundingField({ draft: { endsIn }, onChange }: ChangeFieldsProps): ReactNode {
  const { t } = useTranslation()
  return (
    <Select
      label={t('products.bulk.rounding')}
      value={endsIn === undefined ? '' : String(endsIn)}
      onChange={(value) => onChange({ endsIn: value === null || value === '' ? undefined : Number(value) })}
      data={[
        { value: '', label: t('products.bulk.exact') },
        ...ENDINGS.map((digits) => ({
          value: String(digits),
          label: t('products.bulk.endsIn', { digits: digitsOf(digits) }),
        })),
      ]}
      allowDeselect={false}
      w={180}
    />
  )
}
