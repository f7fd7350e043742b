import { useLanguage } from '../../layout/page-context.ts'
import { ButtonLink } from '../../parts/button-link.tsx'
import { cachedPage } from '../../server/cached-page.ts'
import type { App, Storefront } from '../../server/storefront.ts'

/** Kept by the service worker for pages that were not seen before the network was gone. */
export function offlinePage(app: App, storefront: Storefront): void {
  cachedPage(app, storefront, {
    route: '/offline',
    view: async ({ context }) => ({
      head: { title: context.language.t('offline.title'), isPrivate: true },
      body: <Offline />,
    }),
  })
}

function Offline() {
  const { t } = useLanguage()
  return (
    <section class="message-page">
      <h1>{t('offline.title')}</h1>
      <p>{t('offline.text')}</p>
      <ButtonLink to="">{t('common.tryAgain')}</ButtonLink>
    </section>
  )
}
