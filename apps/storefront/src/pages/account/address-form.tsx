import { CountryField } from '../../parts/country-field.tsx'
import { usePage } from '../../layout/page-context.ts'
import type { Customer } from '../../shop/catalog.ts'
import { Field, Form, type FormState } from './form.tsx'

export type CustomerAddress = Customer['addresses'][number]

/** The fields of an address, with what browsers fill in and the longest text that the shop accepts. */
const FIELDS = [
  { name: 'name', autocomplete: 'name', maxlength: 100 },
  { name: 'line1', autocomplete: 'address-line1', maxlength: 200 },
  { name: 'line2', autocomplete: 'address-line2', maxlength: 200, isOptional: true },
  { name: 'postalCode', autocomplete: 'postal-code', maxlength: 20 },
  { name: 'city', autocomplete: 'address-level2', maxlength: 100 },
  { name: 'region', autocomplete: 'address-level1', maxlength: 100, isOptional: true },
  { name: 'phone', autocomplete: 'tel', maxlength: 50, isOptional: true },
] as const

interface AddressFormProps {
  name: string
  action: string
  address: CustomerAddress | undefined
  state: FormState
}

export function AddressForm({ name, action, address, state }: AddressFormProps) {
  const { frame, language } = usePage()
  const { t } = language
  const firstServed = frame.settings.commerce?.countries?.[0]?.[0] ?? ''
  return (
    <Form name={name} action={action} state={state} button={t('account.saveAddress')}>
      {FIELDS.map((field) => (
        <Field
          {...field}
          form={name}
          label={t(`account.address.${field.name}`)}
          value={address?.[field.name]}
          state={state}
        />
      ))}
      <CountryField
        id={`${name}-country`}
        label={t('account.address.country')}
        autocomplete="country"
        chosen={state.form.get('country') ?? address?.country ?? firstServed}
      />
      {address?.isDefault !== true && (
        <p class="checkbox">
          <input
            id={`${name}-default`}
            type="checkbox"
            name="isDefault"
            value="1"
            checked={state.form.get('isDefault') === '1'}
          />
          <label for={`${name}-default`}>{t('account.useAsDefault')}</label>
        </p>
      )}
    </Form>
  )
}

export function readAddress(form: URLSearchParams) {
  const text = (name: string): string => (form.get(name) ?? '').trim()
  return {
    name: text('name'),
    line1: text('line1'),
    line2: text('line2'),
    city: text('city'),
    region: text('region'),
    postalCode: text('postalCode'),
    country: text('country'),
    phone: text('phone'),
    ...(form.get('isDefault') === '1' && { isDefault: true }),
  }
}
