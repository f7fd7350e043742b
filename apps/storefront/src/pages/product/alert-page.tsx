import { StorefrontError } from '@storefront/client'
import { notFound } from '../../server/error-page.tsx'
import { livePage, type LiveRequest, type LiveResult } from '../../server/live-page.tsx'
import type { App, Storefront } from '../../server/storefront.ts'
import { AlertForm, type AlertKind } from './alert-forms.tsx'
import { productPart } from './product-part.tsx'

/** Problems of the address, which the form shows. */
const SHOWN = new Set(['invalid_email', 'email_required', 'validation_failed', 'rate_limited'])
const KINDS: readonly AlertKind[] = ['back-in-stock', 'price-drop']

/** Requests a mail for when a variant is back, or a price falls. It begins with the link in a first mail. */
export function alertPage(app: App, storefront: Storefront): void {
  livePage(app, storefront, { method: 'POST', route: '/alerts', view: requestAlert })
}

async function requestAlert(request: LiveRequest): Promise<LiveResult> {
  const { form, shop, context, catalog } = request
  const { t } = context.language
  const kind = KINDS.find((one) => one === form.get('kind'))
  const product = await catalog.product(form.get('product') ?? '')
  if (!kind || !product) return notFound(context)
  const title = t(`product.alert.${kind}`)
  const sent = { variant: form.get('variant') ?? '', email: (form.get('email') ?? '').trim() }
  try {
    await shop.post('/alerts', {
      body: {
        kind,
        product_slug: product.slug,
        email: sent.email,
        ...(kind === 'back-in-stock' && { variant_id: sent.variant }),
      },
    })
  } catch (error) {
    if (!(error instanceof StorefrontError) || !SHOWN.has(error.code)) throw error
    const problem = context.language.error(error)
    return productPart(request, product, title, <AlertForm {...{ kind, product, sent, problem }} />)
  }
  const text = t('product.alertSent', { email: sent.email })
  return productPart(
    request,
    product,
    title,
    <p class="notice" role="status">
      {text}
    </p>,
  )
}
