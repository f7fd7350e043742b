import { Badge, Paper, Stack, Text, Title } from '@mantine/core'
import i18next from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Customer } from './customers-queries.ts'

type Address = Customer['addresses'][number]

export function CustomerAddresses({ addresses }: { addresses: readonly Address[] }): ReactNode {
  const { t } = useTranslation()
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="addresses">
      <Title order={2} size="h5" mb="xs" id="addresses">
        {t('customers.addresses')}
      </Title>
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
    </Paper>
  )
}

function linesOf({ name, line1, line2, city, region, postalCode, country, phone }: Address): string[] {
  const place = [postalCode, city, region].filter(Boolean).join(' ')
  return [...new Set([name, line1, line2, place, countryName(country), phone])].filter(Boolean)
}

function countryName(code: string): string {
  if (!/^[A-Z]{2}$/.test(code)) return code
  return new Intl.DisplayNames(i18next.language, { type: 'region' }).of(code) ?? code
}
