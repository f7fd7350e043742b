import type { ComponentChildren } from 'preact'
import { Breadcrumbs, breadcrumbData } from '../../parts/breadcrumbs.tsx'
import { cachedPage, type CachedRequest } from '../../server/cached-page.ts'
import { notFound } from '../../server/error-page.tsx'
import type { PageView } from '../../server/render-document.tsx'
import type { App, Storefront } from '../../server/storefront.ts'
import { Care } from './care.tsx'
import { Contact } from './contact.tsx'
import { Shipping } from './shipping.tsx'
import { SizeGuide } from './size-guide.tsx'

interface Information {
  title: 'shipping' | 'sizeGuide' | 'care' | 'contact'
  render: (request: CachedRequest) => Promise<ComponentChildren> | ComponentChildren
}

/** By the end of their addresses, which the merchant's menus link to. */
const PAGES = new Map<string, Information>([
  ['shipping', { title: 'shipping', render: () => <Shipping /> }],
  [
    'size-guide',
    {
      title: 'sizeGuide',
      render: async ({ query, catalog }) => <SizeGuide charts={await catalog.sizeCharts()} unit={query.get('unit')} />,
    },
  ],
  ['care', { title: 'care', render: () => <Care /> }],
  ['contact', { title: 'contact', render: () => <Contact /> }],
])

/** The pages of every shop that are neither a list nor a product. */
export const INFORMATION_PATHS = [...PAGES.keys()].map((slug) => `/pages/${slug}`)

export function informationPages(app: App, storefront: Storefront): void {
  cachedPage(app, storefront, { route: '/pages/:slug', query: ['unit'], view })
}

async function view(request: CachedRequest): Promise<PageView> {
  const { params, context } = request
  const { t } = context.language
  const slug = params['slug'] ?? ''
  const page = PAGES.get(slug)
  if (!page) return notFound(context)
  const title = t(`information.${page.title}`)
  const path = `/pages/${slug}`
  const crumbs = [
    { label: t('common.home'), to: '/' },
    { label: title, to: path },
  ]
  return {
    head: { title, canonical: path, style: 'account', data: [breadcrumbData(crumbs, context.storefrontUrl)] },
    body: (
      <article class="page information">
        <Breadcrumbs crumbs={crumbs} />
        <h1>{title}</h1>
        {await page.render(request)}
      </article>
    ),
  }
}
