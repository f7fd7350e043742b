import { useLanguage } from '../../layout/page-context.ts'

/** Keeps a form that was sent while the shop could not say what it costs, and sends it once more. */
export function CheckoutUnavailable({ form, notice }: { form: URLSearchParams; notice: string | undefined }) {
  const { t } = useLanguage()
  return (
    <form class="bag" method="post" action="/checkout">
      {[...form].map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <p class="notice notice-problem" role="alert">
        {notice ?? t('checkout.away')}
      </p>
      <button class="button">{t('common.tryAgain')}</button>
    </form>
  )
}
