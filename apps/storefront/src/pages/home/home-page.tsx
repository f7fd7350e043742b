import { Section } from '../../sections/section.tsx'
import { readSections } from '../../sections/read-sections.ts'
import { cachedPage } from '../../server/cached-page.ts'
import type { App, Storefront } from '../../server/storefront.ts'

export function homePage(app: App, storefront: Storefront): void {
  cachedPage(app, storefront, {
    route: '/',
    async view({ context, catalog }) {
      const { settings } = context.frame
      const sections = await readSections(context.frame, catalog)
      const image = sections[0]?.section.image
      return {
        head: {
          title: settings.seo?.title || settings.store?.name || context.language.t('common.home'),
          description: settings.seo?.description || undefined,
          canonical: '/',
          image: image?.url ? { url: image.url, alt: image.alt ?? '' } : undefined,
          data: [organization(context.storefrontUrl, settings.store?.name ?? '')],
          style: 'home',
          firstPicture: image?.url ? { url: image.url, sizes: '100vw' } : undefined,
        },
        body: sections.map((each, index) => <Section {...each} isFirst={index === 0} />),
      }
    },
  })
}

function organization(url: string, name: string): object {
  const search = { '@type': 'SearchAction', target: `${url}/search?q={query}`, 'query-input': 'required name=query' }
  return { '@context': 'https://schema.org', '@type': 'WebSite', name, url, potentialAction: search }
}
