import { TextInput } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { useId, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

const CARRIERS = ['UPS', 'FedEx', 'USPS', 'DHL', 'DPD', 'GLS', 'Hermes', 'Royal Mail', 'Evri', 'Delhivery']
const LAST_CARRIER = 'console-carrier'

export interface Tracking {
  carrier: string
  code: string
  url: string
}

/** Carrier with a number or a link; the carrier that was entered last is suggested. */
export function useTrackingForm(initial: Tracking | undefined): UseFormReturnType<Tracking> {
  const { t } = useTranslation()
  return useForm<Tracking>({
    initialValues: initial ?? { carrier: localStorage.getItem(LAST_CARRIER) ?? '', code: '', url: '' },
    validate: {
      carrier: (carrier, values) =>
        isTracked(values) && carrier.trim() === '' ? t('orders.ship.carrierMissing') : null,
      url: (url) => (url === '' || isWebAddress(url) ? null : t('orders.ship.urlWrong')),
    },
  })
}

/** @returns what was entered, and null when the parcel cannot be tracked */
export function trackingOf(values: Tracking): Tracking | null {
  if (!isTracked(values)) return null
  const carrier = values.carrier.trim()
  localStorage.setItem(LAST_CARRIER, carrier)
  return { carrier, code: values.code.trim(), url: values.url.trim() }
}

export function TrackingFields({ form }: { form: UseFormReturnType<Tracking> }): ReactNode {
  const { t } = useTranslation()
  const carriers = useId()
  return (
    <>
      <TextInput
        data-autofocus
        label={t('orders.ship.carrier')}
        maxLength={100}
        list={carriers}
        {...form.getInputProps('carrier')}
      />
      <datalist id={carriers}>
        {CARRIERS.map((carrier) => (
          <option key={carrier} value={carrier} />
        ))}
      </datalist>
      <TextInput label={t('orders.ship.code')} maxLength={200} autoComplete="off" {...form.getInputProps('code')} />
      <TextInput
        label={t('orders.ship.url')}
        type="url"
        maxLength={2000}
        autoComplete="off"
        placeholder="https://"
        {...form.getInputProps('url')}
      />
    </>
  )
}

/** Without a number and a link a parcel cannot be tracked, whatever the carrier. */
function isTracked({ code, url }: Tracking): boolean {
  return code.trim() !== '' || url.trim() !== ''
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}
