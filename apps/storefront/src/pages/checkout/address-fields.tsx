import { usePage } from '../../layout/page-context.ts'
import { CountryField } from '../../parts/country-field.tsx'
import { Entry, Field } from '../../parts/field.tsx'
import type { Customer } from '../../shop/catalog.ts'
import { IN_TURN, REPRICE, sendsTo, type CheckoutProps } from './checkout-props.ts'

export function AddressFields({ details, problems: { fields }, customer }: CheckoutProps) {
  const { frame, language } = usePage()
  const { t } = language
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
      <Contact email={details.email} problem={fields.email} isGuest={!customer} />
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
        <CountryField
          id="f-country"
          label={t('checkout.fields.country')}
          autocomplete="shipping country"
          chosen={details.country}
          problem={fields.country}
          requests={REPRICE}
        />
        {frame.settings.checkout?.collectPhone === true && (
          <Field {...field('phone', 'tel', 50)} type="tel" hint={t('checkout.phoneHint')} />
        )}
      </fieldset>
    </>
  )
}

function Contact({ email, problem, isGuest }: { email: string; problem: string | undefined; isGuest: boolean }) {
  const { frame, language } = usePage()
  const { t } = language
  return (
    <fieldset class="checkout-part">
      <legend>{t('checkout.contact')}</legend>
      <Field
        id="f-email"
        name="email"
        type="email"
        label={t('checkout.fields.email')}
        hint={t('checkout.emailHint')}
        value={email}
        problem={problem}
        autocomplete="email"
        maxlength={320}
        required
      />
      {isGuest && frame.settings.features?.accounts !== false && (
        <p class="hint">
          {t('checkout.haveAccount')} <a href="/account?next=/checkout">{t('checkout.signIn')}</a>
        </p>
      )}
    </fieldset>
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

/** Fills in one of the customer's saved addresses. */
function AddressChoice({ customer: { addresses } }: { customer: Customer }) {
  const { t } = usePage().language
  if (addresses.length < 2) return null
  return (
    <Entry id="f-saved" label={t('checkout.saved')}>
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
    </Entry>
  )
}
