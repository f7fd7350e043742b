import type { ComponentChildren } from 'preact'
import { BagDrawer } from './bag-drawer.tsx'
import { Footer } from './footer.tsx'
import { DocumentHead, type Head } from './head.tsx'
import { Header } from './header.tsx'
import { useLanguage } from './page-context.ts'

export function Layout({ head, children }: { head: Head; children: ComponentChildren }) {
  const { tag, direction, t } = useLanguage()
  return (
    <html lang={tag} dir={direction}>
      <DocumentHead head={head} />
      <body>
        <a class="skip" href="#content">
          {t('common.skip')}
        </a>
        <Header />
        {/* What went wrong with a request of a script, read out at once. */}
        <div id="notice" role="alert" data-lost={t('errorPage.lost')} />
        <main id="content" tabindex={-1}>
          {children}
        </main>
        <Footer />
        <BagDrawer />
      </body>
    </html>
  )
}
