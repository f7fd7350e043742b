import { Grid, Stack, Text } from '@mantine/core'
import { StorefrontError } from '@storefront/client'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { Page } from '../../parts/page.tsx'
import { RelativeTime } from '../../parts/relative-time.tsx'
import { useDialog } from '../../parts/use-dialog.tsx'
import { ScreenWaiting } from '../../shell/fallbacks.tsx'
import { OrderActions } from './order-actions.tsx'
import { OrderAlert } from './order-alert.tsx'
import { OrderBadges } from './order-badges.tsx'
import { AddressCard, CustomerCard, GiftMessageCard } from './order-customer.tsx'
import type { OrderDialog } from './order-dialog.ts'
import { OrderDialogs } from './order-dialogs.tsx'
import { OrderItems } from './order-items.tsx'
import { OrderMails } from './order-mails.tsx'
import { OrderNotes } from './order-notes.tsx'
import { ParcelsCard } from './order-parcels.tsx'
import { PaymentCard } from './order-payment.tsx'
import { refundableAmount, stepsOf } from './order-steps.ts'
import { TagsCard } from './order-tags.tsx'
import { OrderTimeline } from './order-timeline.tsx'
import { TrackingCard } from './order-tracking.tsx'
import { orderQuery, timelineQuery, type Order } from './orders-queries.ts'

/** One order, by its id or its number. */
export function OrderScreen(): ReactNode {
  const { t } = useTranslation()
  const { id = '' } = useParams({ strict: false })
  const order = useQuery(orderQuery(id))
  // Another order is another page: a note or a dialog is about the order for which it was begun.
  if (order.data) return <OrderPage key={order.data.id} order={order.data} />
  if (!order.error) return <ScreenWaiting />
  return (
    <Page title={t('screens.orders')} back={{ to: '/orders', label: t('screens.orders') }}>
      {order.error instanceof StorefrontError && order.error.status === 404 ? (
        <EmptyState title={t('orders.notFound')} text={t('orders.notFoundText')} />
      ) : (
        <ErrorState error={order.error} onRetry={() => void order.refetch()} />
      )}
    </Page>
  )
}

function OrderPage({ order }: { order: Order }): ReactNode {
  const { t } = useTranslation()
  const timeline = useQuery(timelineQuery(order.id))
  const dialog = useDialog<OrderDialog>()
  const left = refundableAmount(order, timeline.data?.items)
  const steps = stepsOf(order, left)
  return (
    <Page
      title={order.number}
      back={{ to: '/orders', label: t('screens.orders') }}
      aside={
        <>
          <OrderBadges order={order} t={t} />
          <Text c="dimmed">
            <RelativeTime at={order.placedAt} />
          </Text>
        </>
      }
      actions={<OrderActions order={order} steps={steps} onOpen={dialog.open} />}
    >
      <OrderAlert order={order} steps={steps} timeline={timeline.data?.items} onOpen={dialog.open} />
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack>
            <OrderItems order={order} />
            <OrderNotes order={order} timeline={timeline.data?.items} />
            <OrderTimeline order={order} timeline={timeline} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack>
            <CustomerCard order={order} />
            <AddressCard order={order} />
            <GiftMessageCard order={order} />
            <TagsCard order={order} onOpen={dialog.open} />
            {(order.fulfilments ?? []).length > 0 ? (
              <ParcelsCard order={order} steps={steps} onOpen={dialog.open} />
            ) : (
              <TrackingCard order={order} steps={steps} onOpen={dialog.open} />
            )}
            <PaymentCard order={order} />
            <OrderMails order={order} />
          </Stack>
        </Grid.Col>
      </Grid>
      {dialog.render((props, name) => (
        <OrderDialogs {...props} name={name} order={order} left={left} />
      ))}
    </Page>
  )
}
