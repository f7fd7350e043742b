import { NewsletterForm } from '../../layout/newsletter-form.tsx'
import { livePage, type LiveRequest, type LiveResult } from '../../server/live-page.tsx'
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
  const email = (form.get('email') ?? '').trim()
  try {
    await shop.post('/newsletter', { body: { email } })
    return show(request, <p role="status">{t('newsletter.sent', { email })}</p>, 200)
  } catch (error) {
    if (!isRejection(error)) throw error
    const problem = { email, message: context.language.error(error) }
    return show(request, <NewsletterForm problem={problem} />, 422)
  }
}

function show({ hasScript, context }: LiveRequest, body: preact.JSX.Element, status: number): LiveResult {
  if (hasScript) return { fragment: body, status }
  const title = context.language.t('common.newsletter')
  return {
    status,
    head: { title, isPrivate: true },
    body: (
      <section class="message-page">
        <h1>{title}</h1>
        {body}
      </section>
    ),
  }
}
