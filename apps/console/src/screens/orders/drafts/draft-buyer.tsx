import { Autocomplete, Group, NativeSelect, SimpleGrid, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { COUNTRY_CODES } from '@storefront/contracts/country-code'
import { Card } from '../../../parts/card.tsx'
import { countryName } from '../../../parts/country.ts'
import { useCan } from '../../../session.ts'
import { useCountries } from '../../../shop-settings.ts'
import { fieldProps, type DraftFaults } from './draft-faults.ts'
import { addressOfBuyer, knownBuyersQuery } from './known-buyers.ts'
import { ADDRESS_FIELDS, type DraftValues } from './draft-values.ts'

const SEARCHED_AFTER_MS = 200

interface BuyerFieldsProps {
  form: UseFormReturnType<DraftValues>
  isLocked: boolean
  faults: DraftFaults
}

/** Who buys, and where the parcel goes. */
export function BuyerFields({ form, isLocked, faults }: BuyerFieldsProps): ReactNode {
  const { t } = useTranslation()
  return (
    <Card title={t('draftOrders.buyer')}>
      <EmailField form={form} isLocked={isLocked} faults={faults} />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" mt="sm">
        {ADDRESS_FIELDS.map((name) => (
          <TextInput
            key={name}
            label={t(`draftOrders.address.${name}`)}
            maxLength={name === 'postalCode' ? 20 : 100}
            autoComplete="off"
            readOnly={isLocked}
            {...fieldProps(form, faults, `address.${name}`)}
          />
        ))}
        <CountryField form={form} isLocked={isLocked} faults={faults} />
      </SimpleGrid>
    </Card>
  )
}

/** Suggests buyers of earlier orders, and fills in where the latest one went. */
function EmailField({ form, isLocked, faults }: BuyerFieldsProps): ReactNode {
  const { t } = useTranslation()
  const can = useCan()
  const [searched] = useDebouncedValue(form.values.email.trim(), SEARCHED_AFTER_MS)
  const known = useQuery(knownBuyersQuery(can('customers:read') && !isLocked ? searched : '')).data ?? []

  async function fillIn(email: string): Promise<void> {
    const buyer = known.find((one) => one.email === email)
    const address = buyer && (await addressOfBuyer(buyer.id))
    if (address && form.getValues().address.line1 === '') form.setFieldValue('address', address)
  }
  return (
    <Autocomplete
      label={t('draftOrders.email')}
      {...(!isLocked && { description: t('draftOrders.emailHelp') })}
      maxLength={320}
      readOnly={isLocked}
      data={known.map(({ email }) => email)}
      // The shop has searched, in names too.
      filter={({ options }) => options}
      renderOption={({ option: { value } }) => (
        <Group gap="xs">
          <span>{value}</span>
          <span>{known.find(({ email }) => email === value)?.name}</span>
        </Group>
      )}
      onOptionSubmit={(email) => void fillIn(email)}
      {...fieldProps(form, faults, 'email')}
    />
  )
}

function CountryField({ form, isLocked, faults }: BuyerFieldsProps): ReactNode {
  const { t } = useTranslation()
  const served = useCountries(form.values.address.country)
  const all = COUNTRY_CODES.map((value) => ({ value, label: countryName(value) }))
  const sorted = all.toSorted((one, other) => one.label.localeCompare(other.label))
  const { country } = form.values.address
  const label = t('draftOrders.address.country')
  if (isLocked) return <TextInput label={label} value={country === '' ? '' : countryName(country)} readOnly />
  return (
    <NativeSelect
      label={label}
      data={[{ value: '', label: t('draftOrders.noCountry') }, ...(served.length > 0 ? served : sorted)]}
      {...fieldProps(form, faults, 'address.country')}
    />
  )
}
