import { useLanguage } from '../../layout/page-context.ts'
import { Icon } from '../../parts/icon.tsx'
import { ProductGrid } from '../../parts/product-card.tsx'
import { cachedPage, type CachedRequest } from '../../server/cached-page.ts'
import { notFound } from '../../server/error-page.tsx'
import type { PageView } from '../../server/render-document.tsx'
import type { App, Storefront } from '../../server/storefront.ts'
import type { Category, Product, SuggestionList } from '../../shop/catalog.ts'
import { EmptyList } from '../list/empty-list.tsx'
import { isFiltered, LIST_PARAMETERS, listAddress, readListState, withoutFilters } from '../list/list-state.ts'
import { listHead, readList } from '../list/list-view.tsx'
import { ProductList } from '../list/product-list.tsx'
import { searchTo } from './suggestions.tsx'

const PATH = '/search'
const LIKED = 4

export function searchPage(app: App, storefront: Storefront): void {
  cachedPage(app, storefront, { route: PATH, query: LIST_PARAMETERS, view })
}

async function view(request: CachedRequest): Promise<PageView> {
  const { query, context, catalog } = request
  const { t } = context.language
  const { currency } = context.frame
  const state = readListState(query, currency)
  const { q } = state
  if (q === '') return emptySearch(request)
  const list = await readList(catalog, state, {})
  if (list.items.length === 0 && list.page > 1) return notFound(context)
  const title = t('search.resultsFor', { q })
  const isWithoutResult = list.total === 0 && !isFiltered(state)
  return {
    head: {
      ...listHead({ path: PATH, state, list }, context),
      title,
      data: [],
    },
    body: (
      <div class="page">
        <h1>{title}</h1>
        <SearchForm q={q} />
        {isWithoutResult ? (
          <NoResult {...await instead(request, q)} q={q} />
        ) : (
          <ProductList
            path={PATH}
            state={state}
            list={list}
            empty={<EmptyList clear={listAddress(PATH, withoutFilters(state), currency)} />}
          />
        )}
      </div>
    ),
  }
}

function emptySearch({ context }: CachedRequest): PageView {
  const title = context.language.t('search.title')
  return {
    head: { title, isPrivate: true, canonical: PATH, style: 'list' },
    body: (
      <div class="page">
        <h1>{title}</h1>
        <SearchForm q="" />
        <CategoryChips categories={context.frame.categories} />
      </div>
    ),
  }
}

function SearchForm({ q }: { q: string }) {
  const { t } = useLanguage()
  return (
    <form class="search-again" action={PATH}>
      <label for="search-again">{t('common.searchShop')}</label>
      <div class="field-row">
        <input id="search-again" type="search" name="q" value={q} maxlength={200} autocomplete="off" />
        <button class="button">
          <Icon name="search" /> {t('common.search')}
        </button>
      </div>
    </form>
  )
}

interface Instead {
  suggestions: SuggestionList
  liked: readonly Product[]
  categories: readonly Category[]
}

/** What may help a shopper whose words find nothing: what the shop has by the first of them, and what others like. */
async function instead({ catalog, context }: CachedRequest, q: string): Promise<Instead> {
  const [suggestions, liked] = await Promise.all([
    catalog.suggestions(q.split(/\s+/, 1)[0] ?? ''),
    catalog.products({ sort: 'rating', per_page: LIKED }),
  ])
  return { suggestions, liked: liked.items, categories: context.frame.categories }
}

function NoResult({ suggestions, liked, categories, q }: Instead & { q: string }) {
  const { t } = useLanguage()
  return (
    <>
      <div class="nothing">
        <h2>{t('search.nothing', { q })}</h2>
        <p>{t('search.nothingText')}</p>
      </div>
      {suggestions.queries.length > 0 && (
        <nav aria-label={t('search.tryThese')}>
          <h2>{t('search.tryThese')}</h2>
          <ul class="chips">
            {suggestions.queries.map((query) => (
              <li>
                <a class="chip" href={searchTo(query)}>
                  {query}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      )}
      <CategoryChips categories={categories} />
      {liked.length > 0 && (
        <section class="search-liked">
          <h2>{t('search.liked')}</h2>
          <ProductGrid products={liked} />
        </section>
      )}
    </>
  )
}

/** Only categories with products: an empty page would not help a shopper who looks around. */
function CategoryChips({ categories }: { categories: readonly Category[] }) {
  const { t } = useLanguage()
  const filled = categories.filter(({ count }) => count > 0)
  if (filled.length === 0) return null
  return (
    <nav aria-label={t('list.subcategories')}>
      <h2>{t('search.browse')}</h2>
      <ul class="chips">
        {filled.map(({ slug, name }) => (
          <li>
            <a class="chip" href={`/shop/${encodeURIComponent(slug)}`}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
