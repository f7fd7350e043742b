import { Anchor, Badge, Grid, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Card } from '../../parts/card.tsx'
import { LoadingState } from '../../parts/loading-state.tsx'
import { Page } from '../../parts/page.tsx'
import { buyerAddress } from '../../parts/record-links.ts'
import { formatDate } from '../../parts/relative-time.tsx'
import { ShortId } from '../../parts/short-id.tsx'
import { useCan } from '../../session.ts'
import { BuyerNotes } from './buyer-notes.tsx'
import { BuyerTags } from './buyer-tags.tsx'
import { BuyerTotals } from './buyer-totals.tsx'
import { buyersOfAccountQuery, buyerQuery, type Buyer } from './buyers-queries.ts'
import { CustomerAddresses } from './customer-addresses.tsx'
import { CustomerOrders } from './customer-orders.tsx'
import { customerQuery, nameOf, type Customer } from './customers-queries.ts'
import { PersonalData } from './personal-data.tsx'

/** One customer with an account: contact, addresses, what was ordered, and what the shop wrote about it. */
export function CustomerScreen(): ReactNode {
  const { t } = useTranslation()
  const can = useCan()
  const { id = '' } = useParams({ strict: false })
  const read = useQuery(customerQuery(id))
  const customer = read.data
  const ofAccount = useQuery(buyersOfAccountQuery(id))
  const buyers = ofAccount.data ?? []
  // The address of a checkout may differ in upper and lower case.
  const bought = buyers.find(({ email }) => email.toLowerCase() === customer?.email.toLowerCase())
  const buyer = useQuery({ ...buyerQuery(bought?.id ?? ''), enabled: !!bought })
  return (
    <Page
      title={customer ? nameOf(customer) : t('customers.one')}
      back={{ to: '/customers', label: t('screens.customers') }}
    >
      {customer ? (
        <Grid key={customer.id}>
          <Grid.Col span={{ base: 12, md: 8 }}>
            <Stack>
              <LoadingState queries={[ofAccount, buyer]} waiting={null} />
              {buyer.data && <BuyerTotals buyer={buyer.data} />}
              {can('orders:read') && <CustomerOrders customer={customer.id} />}
              {buyer.data && <BuyerNotes buyer={buyer.data} />}
            </Stack>
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 4 }}>
            <Stack>
              <Contact customer={customer} />
              <OtherAddresses buyers={buyers.filter((each) => each !== bought)} />
              {buyer.data && <BuyerTags buyer={buyer.data} />}
              <CustomerAddresses addresses={customer.addresses} />
              <PersonalData kind="customers" id={customer.id} email={customer.email} canDelete />
            </Stack>
          </Grid.Col>
        </Grid>
      ) : (
        <LoadingState queries={[read]} />
      )}
    </Page>
  )
}

/** The totals, tags and notes of each address are apart (docs/decisions/0084). */
function OtherAddresses({ buyers }: { buyers: readonly Buyer[] }): ReactNode {
  const { t } = useTranslation()
  if (buyers.length === 0) return null
  return (
    <Card title={t('customers.otherAddresses')}>
      {buyers.map(({ id, email }) => (
        <Anchor key={id} component={Link} to={buyerAddress(id)} className="wrap">
          {email}
        </Anchor>
      ))}
    </Card>
  )
}

function Contact({ customer }: { customer: Customer }): ReactNode {
  const { t } = useTranslation()
  const { id, email, emailVerified, phone, createdAt } = customer
  return (
    <Card title={t('customers.contact')}>
      <Stack gap={6} align="flex-start">
        <Anchor href={`mailto:${email}`} style={{ overflowWrap: 'anywhere' }}>
          {email}
        </Anchor>
        <Badge color={emailVerified ? 'teal' : 'gray'}>
          {t(emailVerified ? 'customers.verified' : 'customers.unverified')}
        </Badge>
        {phone !== undefined && <Anchor href={`tel:${phone}`}>{phone}</Anchor>}
        <Text c="dimmed">{t('customers.since', { date: formatDate(createdAt) })}</Text>
        <ShortId id={id} />
      </Stack>
    </Card>
  )
}
