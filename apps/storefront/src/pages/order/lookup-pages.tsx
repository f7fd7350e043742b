import { useLanguage } from '../../layout/page-context.ts'
import { Field } from '../../parts/field.tsx'
import { livePage, partOrPage, type LiveRequest, type LiveResult } from '../../server/live-page.tsx'
import type { App, Storefront } from '../../server/storefront.ts'
import { isRejection } from '../../shop/catalog.ts'

interface LookupProps {
  number: string
  email: string
  /** The same for a wrong number and a wrong address. */
  problem?: string | undefined
  fields?: { number?: string | undefined; email?: string | undefined }
}

export function lookupPages(app: App, storefront: Storefront): void {
  livePage(app, storefront, {
    route: '/orders/lookup',
    view: async (request) => show(request, { number: '', email: '' }),
  })
  livePage(app, storefront, { method: 'POST', route: '/orders/lookup', view: lookUp })
}

async function lookUp(request: LiveRequest): Promise<LiveResult> {
  const { form, guest, context } = request
  const { t } = context.language
  const number = (form.get('number') ?? '').trim()
  const email = (form.get('email') ?? '').trim()
  if (number === '' || email === '') {
    const fields = {
      number: number === '' ? t('order.numberMissing') : undefined,
      email: email === '' ? t('checkout.missing.email') : undefined,
    }
    return show(request, { number, email, fields }, 422)
  }
  try {
    const { id, accessToken = '' } = await guest.post('/orders/lookup', { body: { number, email } })
    return { redirect: `/order/${encodeURIComponent(id)}?token=${encodeURIComponent(accessToken)}` }
  } catch (error) {
    if (!isRejection(error)) throw error
    const problem = error.status === 429 ? t('order.lookupLimit') : t('order.lookupFailed')
    return show(request, { number, email, problem }, error.status)
  }
}

function show(request: LiveRequest, props: LookupProps, status = 200): LiveResult {
  const title = request.context.language.t('order.lookupTitle')
  const head = { title, canonical: '/orders/lookup', style: 'account' } as const
  return partOrPage(request, <LookupForm {...props} />, { head, status, class: 'page' })
}

function LookupForm({ number, email, problem, fields = {} }: LookupProps) {
  const { t } = useLanguage()
  return (
    <form
      class="bag"
      method="post"
      action="/orders/lookup"
      noValidate
      hx-post="/orders/lookup"
      hx-swap="outerMorph"
      hx-disable="find button"
    >
      <p>{t('order.lookupText')}</p>
      {problem && (
        <p class="notice notice-problem" role="alert">
          {problem}
        </p>
      )}
      <Field
        id="lookup-number"
        name="number"
        label={t('order.number')}
        hint={t('order.numberHint')}
        value={number}
        problem={fields.number}
        autocomplete="off"
        maxlength={200}
        required
      />
      <Field
        id="lookup-email"
        name="email"
        type="email"
        label={t('checkout.fields.email')}
        value={email}
        problem={fields.email}
        autocomplete="email"
        maxlength={320}
        required
      />
      <button class="button">{t('order.lookup')}</button>
    </form>
  )
}
