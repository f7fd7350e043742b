import '@mantine/spotlight/styles.css'
import { Spotlight } from '@mantine/spotlight'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatMoney } from '../parts/money.ts'
import { customerAddress, orderAddress, productAddress } from '../parts/record-links.ts'
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
  const typed = text.trim()
  const [query] = useDebouncedValue(typed, SEARCH_AFTER_MS)
  const found = useQuery({
    queryKey: ['palette', query],
    enabled: query.length >= MIN_LENGTH,
    queryFn: () => findEverywhere(query, can),
  })

  // Results of an earlier text are not shown: a quick Enter would open one of them.
  const isShort = typed.length < MIN_LENGTH
  const current = query === typed ? found.data : undefined
  const results = isShort ? [] : current
  const action = ({ to, ...shown }: Found) => ({ ...shown, onClick: () => void navigate({ to }) })
  const searchAgain = (group: Group) => ({
    id: `again-${group}`,
    label: t('palette.failed'),
    description: t('common.retry'),
    closeSpotlightOnTrigger: false,
    onClick: () => void found.refetch(),
  })
  const screens = SCREENS.filter(({ permission }) => permission === undefined || can(permission))
    .map(({ name, path }): Found => ({ id: name, label: t(`screens.${name}`), description: '', to: path }))
    .filter(({ label }) => label.toLowerCase().includes(typed.toLowerCase()))
  const groups = [
    { group: t('palette.screens'), actions: screens.map(action) },
    ...(results ?? []).map(({ group, items }) => ({
      group: t(`screens.${group}`),
      actions: items ? items.map(action) : [searchAgain(group)],
    })),
  ].filter(({ actions }) => actions.length > 0)

  useEffect(() => {
    if (typed !== '') selectFirst()
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
      attributes={{ content: { 'aria-label': t('palette.placeholder') } }}
      // At less than full opacity the description of the selected action has too little contrast.
      styles={{ actionDescription: { opacity: 1 } }}
      nothingFound={t(results ? 'palette.nothing' : 'palette.searching')}
      scrollable
      maxHeight={420}
      highlightQuery
    />
  )
}

/** The library selects the first action when the query changes, and results arrive later. */
function selectFirst(): void {
  const list = document.getElementById(paletteStore.getState().listId)
  if (!list || list.querySelector('[data-selected]')) return
  list.querySelector('[data-action]')?.setAttribute('data-selected', 'true')
  paletteStore.updateState((state) => ({ ...state, selected: 0 }))
}

type Can = ReturnType<typeof useCan>
type Group = 'orders' | 'products' | 'customers'

/** @returns what was found of each kind; no items where the search failed */
function findEverywhere(q: string, can: Can): Promise<{ group: Group; items: Found[] | undefined }[]> {
  const params = { query: { q, per_page: FOUND_PER_KIND } }
  const settled = async (group: Group, isAllowed: boolean, find: () => Promise<Found[]>) => ({
    group,
    items: isAllowed ? await find().catch(() => undefined) : [],
  })
  return Promise.all([
    settled('orders', can('orders:read'), async () =>
      (await shop.get('/admin/orders', { params })).items.map((order) => ({
        id: order.id,
        label: order.number,
        description: `${order.email} · ${formatMoney(order.total)}`,
        to: orderAddress(order.id),
      })),
    ),
    settled('products', can('catalog:read'), async () =>
      (await shop.get('/admin/products', { params })).items.map((product) => ({
        id: product.id,
        label: product.title,
        description: product.slug,
        to: productAddress(product.id),
      })),
    ),
    settled('customers', can('customers:read'), async () =>
      (await shop.get('/admin/customers', { params })).items.map((customer) => ({
        id: customer.id,
        label: `${customer.firstName} ${customer.lastName}`.trim() || customer.email,
        description: customer.email,
        to: customerAddress(customer.id),
      })),
    ),
  ])
}
