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
      const first = sections[0]?.section
      const image = first?.image
      const name = settings.store?.name || context.language.t('common.home')
      const hasHeading = first?.type === 'hero' && !!first.title
      return {
        head: {
          title: settings.seo?.title || name,
          description: settings.seo?.description || undefined,
          canonical: '/',
          image: image?.url ? { url: image.url, alt: image.alt ?? '' } : undefined,
          data: [organization(context.storefrontUrl, settings.store?.name ?? '')],
          style: 'home',
          firstPicture: image?.url ? { url: image.url, sizes: '100vw' } : undefined,
        },
        body: (
          <>
            {!hasHeading && <h1 class="visually-hidden">{name}</h1>}
            {sections.map((each, index) => (
              <Section {...each} isFirst={index === 0} />
            ))}
          </>
        ),
      }
    },
  })
}

function organization(url: string, name: string): object {
  const search = { '@type': 'SearchAction', target: `${url}/search?q={query}`, 'query-input': 'required name=query' }
  return { '@context': 'https://schema.org', '@type': 'WebSite', name, url, potentialAction: search }
}
