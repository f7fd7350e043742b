import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { addressLines } from '@storefront/contracts/address-lines'
import { Card } from '../../parts/card.tsx'
import { countryName } from '../../parts/country.ts'
import type { BuyerDetails } from './buyers-queries.ts'

/** Where the orders were sent. */
export function BuyerAddresses({ addresses }: Pick<BuyerDetails, 'addresses'>): ReactNode {
  const { t } = useTranslation()
  return (
    <Card title={t('customers.addresses')}>
      <Stack>
        {addresses.map((address, place) => (
          <Text key={place} component="address" fs="normal">
            {[...addressLines(address, countryName), address.phone].filter(Boolean).map((line, index) => (
              <span key={index}>
                {line}
                <br />
              </span>
            ))}
          </Text>
        ))}
      </Stack>
    </Card>
  )
}
