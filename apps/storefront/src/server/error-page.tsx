import { StorefrontError } from '@storefront/client'
import { ButtonLink } from '../parts/button-link.tsx'
import { Icon } from '../parts/icon.tsx'
import { useLanguage, type PageContext } from '../layout/page-context.ts'
import { languageOf, type Language } from '../messages/language.ts'
import { renderDocument, type PageView } from './render-document.tsx'
import { pageContext, type App, type Storefront } from './storefront.ts'

/** The page for an address that leads nowhere. */
export function NotFound() {
  const { t } = useLanguage()
  return (
    <section class="message-page">
      <h1>{t('errorPage.notFoundTitle')}</h1>
      <p>{t('errorPage.notFoundText')}</p>
      <ButtonLink to="/shop">
        {t('common.toShop')} <Icon name="arrow" />
      </ButtonLink>
    </section>
  )
}

function Away({ reference }: { reference: string }) {
  const { t } = useLanguage()
  return (
    <section class="message-page">
      <h1>{t('errorPage.awayTitle')}</h1>
      <p>{t('errorPage.awayText')}</p>
      <ButtonLink to="">{t('common.tryAgain')}</ButtonLink>
      <p class="hint">{t('errorPage.reference', { id: reference })}</p>
    </section>
  )
}

/** The view for an address without a page. */
export function notFound({ language }: PageContext): PageView {
  const title = language.t('errorPage.notFoundTitle')
  return { status: 404, head: { title, isPrivate: true }, body: <NotFound /> }
}

/** The view for a form that the shop rejected, sent without a script: the page of the form is one step back. */
function rejected(fault: unknown, reference: string, { t, error }: Language): PageView {
  return {
    head: { title: t('errorPage.rejectedTitle'), isPrivate: true },
    body: (
      <section class="message-page">
        <h1>{t('errorPage.rejectedTitle')}</h1>
        <p>{fault instanceof StorefrontError ? error(fault) : t('errorPage.rejectedText')}</p>
        <p class="hint">{t('errorPage.reference', { id: reference })}</p>
      </section>
    ),
  }
}

/** Pages for what went wrong, in place of JSON. */
export function addErrorPages(app: App, storefront: Storefront): void {
  app.setNotFoundHandler(async (request, reply) => {
    const context = await pageContext(storefront, request.url)
    return reply
      .code(404)
      .type('text/html; charset=utf-8')
      .send(renderDocument(notFound(context), context))
  })
  app.setErrorHandler(async (fault, request, reply) => {
    const status = statusOf(fault)
    if (status >= 500) request.log.error({ err: fault }, 'a page could not be rendered')
    void reply.code(status).header('cache-control', 'no-store').type('text/html; charset=utf-8')
    if (status === 503) void reply.header('retry-after', '10')
    const context = await pageContext(storefront, request.url).catch(() => undefined)
    // Without its frame, because the shop has not responded since the start.
    if (!context) return reply.send(bareDocument(request.id))
    if (status === 404) return reply.send(renderDocument(notFound(context), context))
    if (status < 500) return reply.send(renderDocument(rejected(fault, request.id, context.language), context))
    const view: PageView = {
      head: { title: context.language.t('errorPage.awayTitle'), isPrivate: true },
      body: <Away reference={request.id} />,
    }
    return reply.send(renderDocument(view, context))
  })
}

function statusOf(error: unknown): number {
  if (error instanceof StorefrontError) {
    // No response, or one of a shop in trouble: the shopper may try again.
    return error.status === undefined || error.status >= 500 ? 503 : error.status
  }
  const status: unknown = error instanceof Error ? Reflect.get(error, 'statusCode') : undefined
  return typeof status === 'number' && status >= 400 ? status : 500
}

function bareDocument(id: string): string {
  const { t } = languageOf('en')
  const title = t('errorPage.awayTitle')
  return (
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<title>${title}</title><h1>${title}</h1><p>${t('errorPage.awayText')}</p><p><a href="">${t('common.tryAgain')}</a></p>` +
    `<p>${t('errorPage.reference', { id })}</p></html>`
  )
}
