import { Badge, Button, Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Card } from '../../parts/card.tsx'
import { RowBadge } from '../../parts/row-badge.tsx'
import { useCan } from '../../session.ts'
import type { OrderPartProps } from './order-dialog.ts'
import type { Order } from './orders-queries.ts'

/** More would make a row of the list too high. */
const SHOWN_IN_LIST = 3

/** The first tags of an order, in a row of the list. */
export function RowTags({ order: { tags = [] } }: { order: Order }): ReactNode {
  if (tags.length === 0) return null
  const more = tags.length - SHOWN_IN_LIST
  return (
    <div className="badges below">
      {tags.slice(0, SHOWN_IN_LIST).map((tag) => (
        <RowBadge key={tag} variant="outline" color="gray">
          {tag}
        </RowBadge>
      ))}
      {more > 0 && <div className="small dimmed">+{more}</div>}
    </div>
  )
}

/** Words of the shop for the order; each leads to all orders that have it. */
export function TagsCard({ order: { tags = [] }, onOpen }: Omit<OrderPartProps, 'steps'>): ReactNode {
  const { t } = useTranslation()
  const mayChange = useCan()('orders:write')
  if (tags.length === 0 && !mayChange) return null
  return (
    <Card
      title={t('orders.tags.title')}
      action={
        mayChange && (
          <Button variant="subtle" size="compact-sm" onClick={() => onOpen('tags')}>
            {t(tags.length === 0 ? 'orders.tags.add' : 'orders.tags.change')}
          </Button>
        )
      }
    >
      {tags.length === 0 ? (
        <Text c="dimmed">{t('orders.tags.none')}</Text>
      ) : (
        <Group gap={6}>
          {tags.map((tag) => (
            <Badge
              key={tag}
              variant="outline"
              color="gray"
              miw={0}
              maw="100%"
              renderRoot={(props) => <Link {...props} to="/orders" search={{ tag }} />}
            >
              {tag}
            </Badge>
          ))}
        </Group>
      )}
    </Card>
  )
}
