import { Button, Group } from '@mantine/core'
import { Cross2Icon } from '@radix-ui/react-icons'
import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { countryName } from '../../parts/country.ts'
import type { Filters } from '../../parts/filters.ts'
import { formatDay } from '../../parts/relative-time.tsx'
import { ATTENTIONS, FULFILMENTS, NARROWING, PAYMENTS, STATUSES, type Narrowing } from './order-filters.ts'

interface ActiveFiltersProps {
  filters: Filters
  onChange: (change: Record<string, string | undefined>) => void
}

/** The filters that narrow the list, each with a button that removes it. */
export function ActiveFilters({ filters, onChange }: ActiveFiltersProps): ReactNode {
  const { t } = useTranslation()
  const active = NARROWING.flatMap((name) => {
    const value = filters[name]
    return value === undefined ? [] : [{ name, text: `${t(`orders.filter.${name}`)}: ${textOf(name, value, t)}` }]
  })
  if (active.length === 0) return null
  return (
    <Group gap={6}>
      {active.map(({ name, text }) => (
        <Button
          key={name}
          size="compact-xs"
          rightSection={<Cross2Icon />}
          aria-label={t('orders.filter.remove', { name: text })}
          onClick={() => onChange({ [name]: undefined })}
        >
          {text}
        </Button>
      ))}
      <Button
        size="compact-xs"
        variant="subtle"
        onClick={() => onChange(Object.fromEntries(NARROWING.map((name) => [name, undefined])))}
      >
        {t('orders.filter.clear')}
      </Button>
    </Group>
  )
}

/** The value of a filter in the words of the person; one that the shop does not know stays as it is. */
function textOf(name: Narrowing, value: string, t: TFunction): string {
  const status = STATUSES.find((one) => one === value)
  const payment = PAYMENTS.find((one) => one === value)
  const fulfilment = FULFILMENTS.find((one) => one === value)
  const attention = ATTENTIONS.find((one) => one === value)
  if (name === 'status' && status) return t(`orders.status.${status}`)
  if (name === 'payment' && payment) return t(`orders.payment.${payment}`)
  if (name === 'fulfilment' && fulfilment) return t(`orders.fulfilment.${fulfilment}`)
  if (name === 'attention' && attention) return t(`orders.attention.${attention}`)
  if (name === 'country') return countryName(value)
  return name === 'from' || name === 'to' ? formatDay(value) : value
}
