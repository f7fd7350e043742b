import { Badge, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { addressLines } from '@storefront/contracts/address-lines'
import { Card } from '../../parts/card.tsx'
import { countryName } from '../../parts/country.ts'
import type { Customer } from './customers-queries.ts'

export function CustomerAddresses({ addresses }: Pick<Customer, 'addresses'>): ReactNode {
  const { t } = useTranslation()
  return (
    <Card title={t('customers.addresses')}>
      <Stack>
        {addresses.length === 0 && <Text c="dimmed">{t('customers.noAddress')}</Text>}
        {addresses.map((address) => (
          <div key={address.id}>
            {[...addressLines(address, countryName), address.phone].filter(Boolean).map((line, index) => (
              <Text key={index}>{line}</Text>
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
