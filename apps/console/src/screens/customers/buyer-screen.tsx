import { Anchor, Grid, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Card } from '../../parts/card.tsx'
import { LoadingState } from '../../parts/loading-state.tsx'
import { Page } from '../../parts/page.tsx'
import { useCan } from '../../session.ts'
import { BuyerAddresses } from './buyer-addresses.tsx'
import { BuyerNotes } from './buyer-notes.tsx'
import { BuyerTags } from './buyer-tags.tsx'
import { BuyerTotals } from './buyer-totals.tsx'
import { buyerQuery } from './buyers-queries.ts'
import { CustomerOrders } from './customer-orders.tsx'
import { PersonalData } from './personal-data.tsx'

/** A person who has bought without an account. */
export function BuyerScreen(): ReactNode {
  const { t } = useTranslation()
  const can = useCan()
  const { id = '' } = useParams({ strict: false })
  const read = useQuery(buyerQuery(id))
  const buyer = read.data
  const title = buyer ? buyer.name || buyer.email : t('customers.one')
  return (
    <Page title={title} back={{ to: '/customers', label: t('screens.customers') }}>
      {buyer ? (
        <Grid key={buyer.id}>
          <Grid.Col span={{ base: 12, md: 8 }}>
            <Stack>
              <BuyerTotals buyer={buyer} />
              {can('orders:read') && <CustomerOrders customer={buyer.email} />}
              <BuyerNotes buyer={buyer} />
            </Stack>
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 4 }}>
            <Stack>
              <Card title={t('customers.contact')}>
                <Anchor href={`mailto:${buyer.email}`} className="wrap">
                  {buyer.email}
                </Anchor>
                <Text c="dimmed">
                  {t(buyer.customerId === undefined ? 'customers.guestText' : 'customers.hasAccount')}
                </Text>
              </Card>
              <BuyerTags buyer={buyer} />
              <BuyerAddresses addresses={buyer.addresses} />
              <PersonalData
                kind="buyers"
                id={buyer.id}
                email={buyer.email}
                canDelete={buyer.customerId === undefined}
              />
            </Stack>
          </Grid.Col>
        </Grid>
      ) : (
        <LoadingState queries={[read]} />
      )}
    </Page>
  )
}
