import { ActionIcon, Anchor, Stack, Text } from '@mantine/core'
import { CheckIcon, CopyIcon } from '@radix-ui/react-icons'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { addressLines } from '@storefront/contracts/address-lines'
import { customerAddress } from '../../parts/record-links.ts'
import { useCan } from '../../session.ts'
import { Card } from '../../parts/card.tsx'
import { Copying } from '../../parts/copying.tsx'
import { countryName } from '../../parts/country.ts'
import type { Order } from './orders-queries.ts'

export function CustomerCard({ order: { shippingAddress, email, customerId } }: { order: Order }): ReactNode {
  const { t } = useTranslation()
  const can = useCan()
  const name = shippingAddress.name === '' ? email : shippingAddress.name
  return (
    <Card title={t('orders.customer.title')}>
      <Stack gap={4} align="flex-start">
        {customerId !== undefined && can('customers:read') ? (
          <Anchor component={Link} to={customerAddress(customerId)}>
            {name}
          </Anchor>
        ) : (
          <Text>{name}</Text>
        )}
        <Anchor href={`mailto:${email}`} className="wrap">
          {email}
        </Anchor>
        <Text className="small dimmed">
          {t(customerId === undefined ? 'orders.customer.guest' : 'orders.customer.account')}
        </Text>
        <Anchor renderRoot={(props) => <Link {...props} to="/orders" search={{ customer: customerId ?? email }} />}>
          {t('orders.customer.orders')}
        </Anchor>
      </Stack>
    </Card>
  )
}

export function AddressCard({ order: { shippingAddress } }: { order: Order }): ReactNode {
  const { t } = useTranslation()
  const { phone } = shippingAddress
  const lines = addressLines(shippingAddress, countryName)
  return (
    <Card title={t('orders.address.title')} action={<CopyAddress text={lines.join('\n')} />}>
      <Text component="address" fs="normal">
        {lines.map((line, place) => (
          <span key={place}>
            {line}
            <br />
          </span>
        ))}
        {phone !== '' && <Anchor href={`tel:${phone}`}>{phone}</Anchor>}
      </Text>
    </Card>
  )
}

/** What the buyer wrote for the recipient, which the packing slip shows too. */
export function GiftMessageCard({ order: { giftMessage } }: { order: Order }): ReactNode {
  const { t } = useTranslation()
  if (giftMessage === undefined) return null
  return (
    <Card title={t('orders.giftMessage.title')}>
      <Text style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>{giftMessage}</Text>
    </Card>
  )
}

function CopyAddress({ text }: { text: string }): ReactNode {
  const { t } = useTranslation()
  return (
    <Copying value={text}>
      {({ copied, copy }) => (
        <ActionIcon
          variant="subtle"
          color="gray"
          onClick={copy}
          aria-label={t(copied ? 'common.copied' : 'orders.address.copy')}
        >
          {copied ? <CheckIcon /> : <CopyIcon />}
        </ActionIcon>
      )}
    </Copying>
  )
}
