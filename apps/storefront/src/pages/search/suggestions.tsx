import type { ComponentChildren } from 'preact'
import { useLanguage } from '../../layout/page-context.ts'
import { Icon } from '../../parts/icon.tsx'
import { lowestPrice } from '../../parts/lowest-price.ts'
import { Picture } from '../../parts/picture.tsx'
import { PriceText } from '../../parts/price.tsx'
import { livePage } from '../../server/live-page.tsx'
import { searchText } from '../list/list-state.ts'
import type { App, Storefront } from '../../server/storefront.ts'
import type { Catalog, Product, SuggestionList } from '../../shop/catalog.ts'

/** More would not fit above the keyboard of a phone. */
const MAX_TEXTS = 4
const MAX_CATEGORIES = 3
const MAX_PRODUCTS = 5

export const searchTo = (q: string): string => `/search?${new URLSearchParams({ q }).toString()}`

/** What the search field of the header shows while a shopper types. */
export function suggestionRoute(app: App, storefront: Storefront): void {
  livePage(app, storefront, {
    route: '/search/suggest',
    async view({ query, shop, hasScript, catalog }) {
      const q = searchText(query.get('q'))
      if (!hasScript) return { redirect: searchTo(q) }
      const found = await shop.get('/search/suggest', { params: { query: { q } } })
      return { fragment: <Suggestions found={found} listed={await listedOf(found, catalog)} /> }
    },
  })
}

/** Suggestions do not have the prices of variants. @returns the suggested products by their slugs */
async function listedOf({ products }: SuggestionList, catalog: Catalog): Promise<ReadonlyMap<string, Product>> {
  const slugs = products.slice(0, MAX_PRODUCTS).map(({ slug }) => slug)
  if (slugs.length === 0) return new Map()
  // If they cannot be read, the suggestions are shown without prices.
  const list = await catalog.products({ slugs: slugs.join(','), per_page: MAX_PRODUCTS }).catch(() => undefined)
  return new Map(list?.items.map((product) => [product.slug, product]))
}

/** The options of a list box, in groups; each is a link as well. */
function Suggestions({ found, listed }: { found: SuggestionList; listed: ReadonlyMap<string, Product> }) {
  const { t } = useLanguage()
  const queries = found.queries.slice(0, MAX_TEXTS)
  const categories = found.categories.slice(0, MAX_CATEGORIES)
  const products = found.products.slice(0, MAX_PRODUCTS)
  const count = queries.length + categories.length + products.length
  return (
    <>
      <p hidden data-found={t('search.found', { count })} />
      <Group label={t('search.queries')} count={queries.length}>
        {queries.map((query) => (
          <Option to={searchTo(query)} id={`q-${query}`}>
            <Icon name="search" /> <span>{query}</span>
          </Option>
        ))}
      </Group>
      <Group label={t('list.subcategories')} count={categories.length}>
        {categories.map(({ slug, name, count }) => (
          <Option to={`/shop/${encodeURIComponent(slug)}`} id={`c-${slug}`}>
            <span>{name}</span> <span class="hint">{t('home.categoryCount', { count })}</span>
          </Option>
        ))}
      </Group>
      <Group label={t('list.products')} count={products.length}>
        {products.map(({ slug, title, images: [image] }) => (
          <Option to={`/product/${encodeURIComponent(slug)}`} id={`p-${slug}`}>
            {image && <Picture picture={{ ...image, alt: '' }} sizes="3rem" />}
            <span>{title}</span> <SuggestedPrice product={listed.get(slug)} />
          </Option>
        ))}
      </Group>
    </>
  )
}

function SuggestedPrice({ product }: { product: Product | undefined }) {
  if (!product) return null
  const { price, isFrom } = lowestPrice(product)
  return (
    <span class="hint">
      <PriceText price={price} isFrom={isFrom} />
    </span>
  )
}

function Group({ label, count, children }: { label: string; count: number; children: ComponentChildren }) {
  if (count === 0) return null
  return (
    <div role="group" aria-label={label}>
      <p class="suggestions-title" aria-hidden="true">
        {label}
      </p>
      {children}
    </div>
  )
}

function Option({ to, id, children }: { to: string; id: string; children: ComponentChildren }) {
  return (
    <a
      class="suggestion"
      role="option"
      aria-selected="false"
      tabindex={-1}
      href={to}
      id={`suggestion-${encodeURIComponent(id)}`}
    >
      {children}
    </a>
  )
}
