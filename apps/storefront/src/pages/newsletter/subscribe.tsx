import { NewsletterForm } from '../../layout/newsletter-form.tsx'
import { livePage, partOrPage, type LiveRequest, type LiveResult } from '../../server/live-page.tsx'
import type { App, Storefront } from '../../server/storefront.ts'
import { isRejection } from '../../shop/catalog.ts'

export function subscribePage(app: App, storefront: Storefront): void {
  livePage(app, storefront, { method: 'POST', route: '/newsletter', view: subscribe })
  // Where a reload leads after the form was sent without script.
  livePage(app, storefront, { route: '/newsletter', view: async () => ({ redirect: '/' }) })
}

async function subscribe(request: LiveRequest): Promise<LiveResult> {
  const { shop, form, context } = request
  const { t } = context.language
  const head = { title: t('common.newsletter'), isPrivate: true }
  const email = (form.get('email') ?? '').trim()
  try {
    await shop.post('/newsletter', { body: { email } })
    return partOrPage(request, <p role="status">{t('newsletter.sent', { email })}</p>, { head })
  } catch (error) {
    if (!isRejection(error)) throw error
    const problem = { email, message: context.language.error(error) }
    return partOrPage(request, <NewsletterForm problem={problem} />, { head, status: 422 })
  }
}
