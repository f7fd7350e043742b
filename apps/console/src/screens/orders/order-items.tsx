import { Group, Stack, Table, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatMoney } from '../../parts/money.ts'
import { Thumbnail } from '../../parts/picture.tsx'
import { productAddress } from '../../parts/record-links.ts'
import { useCan } from '../../session.ts'
import { Card } from '../../parts/card.tsx'
import { OrderTotals } from './order-totals.tsx'
import type { Order, OrderLine } from './orders-queries.ts'
import { wasPartlySent, sentUnits } from './parcels.ts'
import { refundableUnits } from './refund-amount.ts'

/** The lines of an order, at the prices that the buyer paid. */
export function OrderItems({ order }: { order: Order }): ReactNode {
  const { t } = useTranslation()
  const isPartly = wasPartlySent(order)
  const sent = sentUnits(order)
  const left = refundableUnits(order)
  return (
    <Card title={t('orders.items.title')}>
      <Table aria-label={t('orders.items.title')} fz="sm" horizontalSpacing={0} verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('orders.items.product')}</Table.Th>
            <Table.Th className="number" visibleFrom="xs">
              {t('orders.items.price')}
            </Table.Th>
            <Table.Th className="number" px="sm">
              {t('orders.items.quantity')}
            </Table.Th>
            <Table.Th className="number">{t('orders.items.total')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {order.lines.map((line) => (
            <Table.Tr key={line.id}>
              <Table.Td>
                <LineName line={line} linked />
              </Table.Td>
              <Table.Td className="number" visibleFrom="xs">
                {formatMoney(line.unitPrice)}
              </Table.Td>
              <Table.Td className="number" px="sm">
                {line.quantity}
                {isPartly && (
                  <Text className="small dimmed">{t('orders.items.sent', { count: sent.get(line.id) ?? 0 })}</Text>
                )}
                <RefundedUnits count={line.quantity - (left.get(line.id) ?? 0)} />
              </Table.Td>
              <Table.Td className="number">{formatMoney(line.lineTotal)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <OrderTotals order={order} />
    </Card>
  )
}

function RefundedUnits({ count }: { count: number }): ReactNode {
  const { t } = useTranslation()
  if (count === 0) return null
  return <Text className="small dimmed">{t('orders.items.refunded', { count })}</Text>
}

/** A product with its picture and chosen options. In a dialog it is not a link: leaving would lose what was entered. */
export function LineName({ line, linked = false }: { line: OrderLine; linked?: boolean }): ReactNode {
  const can = useCan()
  const options = Object.values(line.options).join(' / ')
  return (
    <Group gap="sm" wrap="nowrap">
      <Thumbnail url={line.image.url} />
      <Stack gap={0} miw={0}>
        {linked && line.productId !== undefined && can('catalog:read') ? (
          <Text component={Link} to={productAddress(line.productId)} className="row-link">
            {line.title}
          </Text>
        ) : (
          <Text>{line.title}</Text>
        )}
        <Text className="small dimmed">{[options, line.sku ?? ''].filter((part) => part !== '').join(' · ')}</Text>
      </Stack>
    </Group>
  )
}
