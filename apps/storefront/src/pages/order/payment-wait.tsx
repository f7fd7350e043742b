import { useLanguage } from '../../layout/page-context.ts'
import { ButtonLink } from '../../parts/button-link.tsx'
import { AutoReload, isOver } from './auto-reload.tsx'

/** The shopper is back before the provider has confirmed the payment. */
export function PaymentWait({ address, wait }: { address: string; wait: number }) {
  const { t } = useLanguage()
  return (
    <div class="message-page">
      <h1>{t('order.waitTitle')}</h1>
      <p role="status">{t(isOver(wait) ? 'order.waitOver' : 'order.waitText')}</p>
      <ButtonLink to={address} isOutline>
        {t('order.lookAgain')}
      </ButtonLink>
      <AutoReload address={address} wait={wait} />
    </div>
  )
}

export function PaymentEnded() {
  const { t } = useLanguage()
  return (
    <div class="message-page">
      <h1>{t('order.paymentEnded')}</h1>
      <p>{t('order.paymentEndedText')}</p>
      <ButtonLink to="/checkout">{t('order.toCheckout')}</ButtonLink>
    </div>
  )
}
