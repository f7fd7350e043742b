import '@mantine/spotlight/styles.css'
import { Spotlight } from '@mantine/spotlight'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatMoney } from '../parts/money.ts'
import { useCan } from '../session.ts'
import { shop } from '../shop.ts'
import { paletteStore } from './palette-opener.ts'
import { SCREENS } from './screens.ts'

const SEARCH_AFTER_MS = 150
const MIN_LENGTH = 2
const FOUND_PER_KIND = 5

interface Found {
  id: string
  label: string
  description: string
  to: string
}

/** Ctrl+K: finds any screen, order, product and customer. */
export function CommandPalette(): ReactNode {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const can = useCan()
  const [text, setText] = useState('')
  const [query] = useDebouncedValue(text.trim(), SEARCH_AFTER_MS)
  const found = useQuery({
    queryKey: ['palette', query],
    enabled: query.length >= MIN_LENGTH,
    placeholderData: keepPreviousData,
    queryFn: () => findEverywhere(query, can),
  })

  const action = ({ id, label, description, to }: Found) => ({
    id,
    label,
    description,
    onClick: () => void navigate({ to }),
  })
  const screens = SCREENS.filter(({ permission }) => permission === undefined || can(permission))
    .map(({ name, path }): Found => ({ id: name, label: t(`screens.${name}`), description: '', to: path }))
    .filter(({ label }) => label.toLowerCase().includes(text.trim().toLowerCase()))
  const groups = [
    { group: t('palette.screens'), actions: screens.map(action) },
    ...(query.length < MIN_LENGTH ? [] : (found.data ?? [])).map(({ group, items }) => ({
      group: t(`screens.${group}`),
      actions: items.map(action),
    })),
  ].filter(({ actions }) => actions.length > 0)

  // The library selects the first action when the query changes, and results arrive later.
  useEffect(() => {
    const list = document.getElementById(paletteStore.getState().listId)
    if (text.trim() === '' || !list || list.querySelector('[data-selected]')) return
    list.querySelector('[data-action]')?.setAttribute('data-selected', 'true')
    paletteStore.updateState((state) => ({ ...state, selected: 0 }))
  })

  return (
    <Spotlight
      store={paletteStore}
      actions={groups}
      query={text}
      onQueryChange={setText}
      // The shop has searched already.
      filter={(_query, actions) => actions}
      shortcut={null}
      searchProps={{ placeholder: t('palette.placeholder'), 'aria-label': t('palette.placeholder') }}
      nothingFound={t('palette.nothing')}
      scrollable
      maxHeight={420}
      highlightQuery
    />
  )
}

type Can = ReturnType<typeof useCan>

async function findEverywhere(q: string, can: Can) {
  const query = { q, per_page: FOUND_PER_KIND }
  const [orders, products, customers] = await Promise.all([
    can('orders:read') ? shop.get('/admin/orders', { params: { query } }) : { items: [] },
    can('catalog:read') ? shop.get('/admin/products', { params: { query } }) : { items: [] },
    can('customers:read') ? shop.get('/admin/customers', { params: { query } }) : { items: [] },
  ])
  return [
    {
      group: 'orders' as const,
      items: orders.items.map((order): Found => ({
        id: order.id,
        label: order.number,
        description: `${order.email} · ${formatMoney(order.total)}`,
        to: `/orders/${order.id}`,
      })),
    },
    {
      group: 'products' as const,
      items: products.items.map((product): Found => ({
        id: product.id,
        label: product.title,
        description: product.slug,
        to: `/products/${product.id}`,
      })),
    },
    {
      group: 'customers' as const,
      items: customers.items.map((customer): Found => ({
        id: customer.id,
        label: `${customer.firstName} ${customer.lastName}`.trim() || customer.email,
        description: customer.email,
        to: `/customers/${customer.id}`,
      })),
    },
  ]
}
