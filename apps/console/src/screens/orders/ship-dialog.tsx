import { Alert, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useId, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FormDialog } from '../../parts/form-dialog.tsx'
import type { Order, OrderChange } from './orders-queries.ts'
import { useOrderChange } from './use-order-change.ts'

const CARRIERS = ['UPS', 'FedEx', 'USPS', 'DHL', 'DPD', 'GLS', 'Hermes', 'Royal Mail', 'Evri', 'Delhivery']
const LAST_CARRIER = 'console-carrier'

interface ShipDialogProps {
  order: Order
  /** Whether the parcel leaves now, or only its tracking changes. */
  purpose: 'ship' | 'tracking'
  onClose: () => void
}

interface Tracking {
  carrier: string
  code: string
  url: string
}

/** The parcel has left, or its tracking is corrected: carrier with a number or a link. */
export function ShipDialog({ order, purpose, onClose }: ShipDialogProps): ReactNode {
  const { t } = useTranslation()
  const carriers = useId()
  const change = useOrderChange(order)
  const form = useForm<Tracking>({
    initialValues: order.tracking ?? { carrier: localStorage.getItem(LAST_CARRIER) ?? '', code: '', url: '' },
    validate: {
      carrier: (carrier, values) =>
        isTracked(values) && carrier.trim() === '' ? t('orders.ship.carrierMissing') : null,
      url: (url) => (url === '' || isWebAddress(url) ? null : t('orders.ship.urlWrong')),
    },
  })
  const submit = form.onSubmit((values) => {
    const tracking = isTracked(values) ? trimmed(values) : null
    if (tracking) localStorage.setItem(LAST_CARRIER, tracking.carrier)
    const body: OrderChange = purpose === 'tracking' ? { tracking } : { status: 'fulfilled', tracking }
    const done = purpose === 'tracking' ? t('orders.done.tracking') : t('orders.done.shipped')
    change.mutate({ body, done }, { onSuccess: onClose })
  })
  const isUnpaid = purpose === 'ship' && order.payment.status !== 'captured'
  return (
    <FormDialog
      title={t(`orders.ship.title.${purpose}`, { number: order.number })}
      action={t(`orders.ship.action.${purpose}`)}
      isPending={change.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      {isUnpaid && <Alert color="yellow">{t('orders.ship.unpaid')}</Alert>}
      <Text size="sm">{t(`orders.ship.text.${purpose}`)}</Text>
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
    </FormDialog>
  )
}

/** Without a number and a link a parcel cannot be tracked, whatever the carrier. */
function isTracked({ code, url }: Tracking): boolean {
  return code.trim() !== '' || url.trim() !== ''
}

function trimmed({ carrier, code, url }: Tracking): Tracking {
  return { carrier: carrier.trim(), code: code.trim(), url: url.trim() }
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}
