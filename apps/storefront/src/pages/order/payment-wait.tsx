import { useLanguage } from '../../layout/page-context.ts'
import { isOver, LookAgain } from './look-again.tsx'

/** The shopper is back before the provider has confirmed the payment. */
export function PaymentWait({ address, wait }: { address: string; wait: number }) {
  const { t } = useLanguage()
  return (
    <div class="message-page">
      <h1>{t('order.waitTitle')}</h1>
      <p role="status">{t(isOver(wait) ? 'order.waitOver' : 'order.waitText')}</p>
      <p>
        <a class="button button-outline" href={address}>
          {t('order.lookAgain')}
        </a>
      </p>
      <LookAgain address={address} wait={wait} />
    </div>
  )
}

export function PaymentEnded() {
  const { t } = useLanguage()
  return (
    <div class="message-page">
      <h1>{t('order.paymentEnded')}</h1>
      <p>{t('order.paymentEndedText')}</p>
      <p>
        <a class="button" href="/checkout">
          {t('order.toCheckout')}
        </a>
      </p>
    </div>
  )
}
