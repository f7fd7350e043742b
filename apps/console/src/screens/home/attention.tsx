import { Badge, Button, Group, NavLink, Text } from '@mantine/core'
import { CheckCircledIcon } from '@radix-ui/react-icons'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Card } from '../../parts/card.tsx'
import { useCan } from '../../session.ts'
import {
  attentionQuery,
  failedMailsQuery,
  failedWebhooksQuery,
  LOW_STOCK_COUNTED,
  lowStockQuery,
} from './home-queries.ts'

type Matter =
  | 'ordersToPack'
  | 'refundsToSettle'
  | 'reconciliationFindings'
  | 'lowStock'
  | 'failedWebhooks'
  | 'failedMails'

interface Waiting {
  matter: Matter
  count: number
  /** Whether there are more than that. */
  more: boolean
  to: string
  search?: Record<string, string>
}

/** What waits for the merchant, each with a link to the list where it is done. */
export function Attention(): ReactNode {
  const { t } = useTranslation()
  const { waiting, isLoading, unread } = useWaiting()
  return (
    <Card title={t('home.attention')}>
      {waiting.length === 0 && (isLoading || unread.length === 0) && (
        <Group gap="xs" c="dimmed">
          <CheckCircledIcon />
          <Text>{t(isLoading ? 'home.checking' : 'home.nothingWaits')}</Text>
        </Group>
      )}
      {waiting.map(({ matter, count, more, to, search = {} }) => (
        <NavLink
          key={matter}
          renderRoot={(props) => <Link {...props} to={to} search={search} />}
          px="xs"
          label={t(`home.matters.${matter}`)}
          rightSection={<Badge color="orange">{more ? `${count}+` : count}</Badge>}
        />
      ))}
      {unread.length > 0 && (
        <Group gap="xs">
          <Text role="status">{t('home.unchecked')}</Text>
          <Button size="compact-sm" onClick={() => unread.forEach((query) => void query.refetch())}>
            {t('common.retry')}
          </Button>
        </Group>
      )}
    </Card>
  )
}

interface Checked {
  waiting: Waiting[]
  isLoading: boolean
  /** What could not be read. */
  unread: { refetch: () => Promise<unknown> }[]
}

function useWaiting(): Checked {
  const can = useCan()
  const orders = useQuery({ ...attentionQuery, enabled: can('orders:read') })
  const stock = useQuery({ ...lowStockQuery, enabled: can('catalog:read') })
  const webhooks = useQuery({ ...failedWebhooksQuery, enabled: can('webhooks:write') })
  const mails = useQuery({ ...failedMailsQuery, enabled: can('orders:read') })
  const none = { count: 0, more: false }
  const { ordersToPack = none, refundsToSettle = none, reconciliationFindings = none } = orders.data ?? {}
  const fromTotal = (
    matter: Matter,
    total: number | undefined,
    to: string,
    search: Record<string, string> = {},
  ): Waiting => ({ matter, count: total ?? 0, more: matter === 'lowStock' && total === LOW_STOCK_COUNTED, to, search })
  const all: Waiting[] = [
    { matter: 'ordersToPack', ...ordersToPack, to: '/orders', search: { status: 'paid', fulfilment: 'unfulfilled' } },
    { matter: 'refundsToSettle', ...refundsToSettle, to: '/orders', search: { attention: 'refund_due' } },
    { matter: 'reconciliationFindings', ...reconciliationFindings, to: '/settings/health' },
    fromTotal('lowStock', stock.data?.total, '/stock'),
    fromTotal('failedWebhooks', webhooks.data?.total, '/settings/webhooks/deliveries', { status: 'dead' }),
    fromTotal('failedMails', mails.data?.total, '/settings/mails', { status: 'failed' }),
  ]
  const queries = [orders, stock, webhooks, mails]
  return {
    waiting: all.filter(({ count }) => count > 0),
    isLoading: queries.some(({ isLoading }) => isLoading),
    unread: queries.filter(({ isLoadingError }) => isLoadingError),
  }
}
