import type { ComponentChildren } from 'preact'
import { useLanguage } from '../../layout/page-context.ts'
import { Icon } from '../../parts/icon.tsx'
import { Picture } from '../../parts/picture.tsx'
import { livePage } from '../../server/live-page.tsx'
import { searchText } from '../list/list-state.ts'
import type { App, Storefront } from '../../server/storefront.ts'
import type { SuggestionList } from '../../shop/catalog.ts'

/** More would not fit above the keyboard of a phone. */
const MOST_TEXTS = 4
const MOST_CATEGORIES = 3
const MOST_PRODUCTS = 5

export const searchTo = (q: string): string => `/search?${new URLSearchParams({ q }).toString()}`

/** What the search field of the header shows while a shopper types. */
export function suggestionRoute(app: App, storefront: Storefront): void {
  livePage(app, storefront, {
    route: '/search/suggest',
    async view({ query, shop, hasScript }) {
      const q = searchText(query.get('q'))
      if (!hasScript) return { redirect: searchTo(q) }
      const found = await shop.get('/search/suggest', { params: { query: { q } } })
      return { fragment: <Suggestions found={found} /> }
    },
  })
}

/** The options of a list box, in groups; each is a link as well. */
function Suggestions({ found }: { found: SuggestionList }) {
  const { t, money } = useLanguage()
  const queries = found.queries.slice(0, MOST_TEXTS)
  const categories = found.categories.slice(0, MOST_CATEGORIES)
  const products = found.products.slice(0, MOST_PRODUCTS)
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
        {products.map(({ slug, title, price, images: [image] }) => (
          <Option to={`/product/${encodeURIComponent(slug)}`} id={`p-${slug}`}>
            {image && <Picture picture={{ ...image, alt: '' }} sizes="3rem" />}
            <span>{title}</span> <span class="hint">{money(price)}</span>
          </Option>
        ))}
      </Group>
    </>
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
