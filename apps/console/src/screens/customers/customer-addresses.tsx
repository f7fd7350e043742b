import { Badge, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Card } from '../../parts/card.tsx'
import { countryName } from '../../parts/country.ts'
import type { Customer } from './customers-queries.ts'

type Address = Customer['addresses'][number]

export function CustomerAddresses({ addresses }: { addresses: readonly Address[] }): ReactNode {
  const { t } = useTranslation()
  return (
    <Card title={t('customers.addresses')}>
      <Stack>
        {addresses.length === 0 && (
          <Text size="sm" c="dimmed">
            {t('customers.noAddress')}
          </Text>
        )}
        {addresses.map((address) => (
          <div key={address.id}>
            {linesOf(address).map((line) => (
              <Text size="sm" key={line}>
                {line}
              </Text>
            ))}
            {address.isDefault && addresses.length > 1 && (
              <Badge variant="default" size="sm" mt={4}>
                {t('customers.defaultAddress')}
              </Badge>
            )}
          </div>
        ))}
      </Stack>
    </Card>
  )
}

function linesOf({ name, line1, line2, city, region, postalCode, country, phone }: Address): string[] {
  const place = [postalCode, city, region].filter(Boolean).join(' ')
  return [...new Set([name, line1, line2, place, countryName(country), phone])].filter(Boolean)
}
