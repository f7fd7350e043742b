import { usePage } from '../../layout/page-context.ts'
import { CountryOptions } from '../../parts/country-options.tsx'
import { describedBy, Field, FieldNotes } from '../../parts/field.tsx'
import type { Customer } from '../../shop/catalog.ts'
import { IN_TURN, REPRICE, sendsTo, type CheckoutProps } from './checkout-props.ts'

export function AddressFields({ details, problems, customer }: CheckoutProps) {
  const { frame, language } = usePage()
  const { t } = language
  const { features, checkout } = frame.settings
  const { fields } = problems
  const field = (
    name: 'name' | 'line1' | 'line2' | 'postalCode' | 'city' | 'phone',
    complete: string,
    max: number,
  ) => ({
    id: `f-${name}`,
    name,
    label: t(`checkout.fields.${name}`),
    value: details[name],
    problem: fields[name],
    autocomplete: `shipping ${complete}`,
    maxlength: max,
  })
  return (
    <>
      <fieldset class="checkout-part">
        <legend>{t('checkout.contact')}</legend>
        <Field
          id="f-email"
          name="email"
          type="email"
          label={t('checkout.fields.email')}
          hint={t('checkout.emailHint')}
          value={details.email}
          problem={fields.email}
          autocomplete="email"
          maxlength={320}
          required
        />
        {!customer && features?.accounts !== false && (
          <p class="hint">
            {t('checkout.haveAccount')} <a href="/account?next=/checkout">{t('checkout.signIn')}</a>
          </p>
        )}
      </fieldset>
      <fieldset class="checkout-part">
        <legend>{t('checkout.address')}</legend>
        {customer && <AddressChoice customer={customer} />}
        <Field {...field('name', 'name', 100)} required />
        <Field {...field('line1', 'address-line1', 200)} required />
        <Field {...field('line2', 'address-line2', 200)} />
        <div class="entry-pair">
          <Field {...field('postalCode', 'postal-code', 20)} required />
          <Field {...field('city', 'address-level2', 100)} required />
        </div>
        <Region details={details} problem={fields.region} />
        <Country country={details.country} problem={fields.country} />
        {checkout?.collectPhone === true && (
          <Field {...field('phone', 'tel', 50)} type="tel" hint={t('checkout.phoneHint')} />
        )}
      </fieldset>
    </>
  )
}

/** Needed where the shop has a tax rate for a region of the country. */
function Region({ details, problem }: { details: CheckoutProps['details']; problem: string | undefined }) {
  const { frame, language } = usePage()
  const rates = frame.settings.commerce?.tax?.rates ?? []
  const isNeeded = rates.some(({ country, region }) => country === details.country && Boolean(region))
  return (
    <Field
      id="f-region"
      name="region"
      label={language.t('checkout.fields.region')}
      value={details.region}
      problem={problem}
      autocomplete="shipping address-level1"
      maxlength={100}
      required={isNeeded}
      requests={REPRICE}
    />
  )
}

function Country({ country, problem }: { country: string; problem: string | undefined }) {
  const { t } = usePage().language
  return (
    <div class="entry">
      <label for="f-country">{t('checkout.fields.country')}</label>
      <FieldNotes id="f-country" problem={problem} />
      <select
        id="f-country"
        name="country"
        autocomplete="shipping country"
        required
        {...describedBy({ id: 'f-country', problem })}
        {...REPRICE}
      >
        <CountryOptions chosen={country} />
      </select>
    </div>
  )
}

/** Fills in one of the customer's saved addresses. */
function AddressChoice({ customer: { addresses } }: { customer: Customer }) {
  const { t } = usePage().language
  if (addresses.length < 2) return null
  return (
    <div class="entry">
      <label for="f-saved">{t('checkout.saved')}</label>
      <div class="field-row">
        <select
          id="f-saved"
          name="saved"
          hx-post="/checkout/address"
          hx-trigger="change"
          hx-target="#checkout"
          {...IN_TURN}
        >
          <option value="">{t('checkout.savedChoose')}</option>
          {addresses.map(({ id, name, line1, city }) => (
            <option value={id}>{[name, line1, city].join(', ')}</option>
          ))}
        </select>
        <button class="button button-outline script-off" {...sendsTo('/checkout/address')}>
          {t('checkout.savedUse')}
        </button>
      </div>
    </div>
  )
}
