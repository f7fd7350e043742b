import { Breadcrumbs, breadcrumbData, type Crumb } from '../../parts/breadcrumbs.tsx'
import { useLanguage } from '../../layout/page-context.ts'
import { cachedPage, type CachedRequest } from '../../server/cached-page.ts'
import { notFound } from '../../server/error-page.tsx'
import type { PageView } from '../../server/render-document.tsx'
import type { App, Storefront } from '../../server/storefront.ts'
import type { Category } from '../../shop/catalog.ts'
import { categoryPath } from '../../shop/frame.ts'
import { EmptyList } from './empty-list.tsx'
import { isFiltered, LIST_PARAMETERS, listAddress, readListState, withoutFilters } from './list-state.ts'
import { listHead, readList, type Scope } from './list-view.tsx'
import { ProductList } from './product-list.tsx'

/** What a list shows above its products. */
interface Subject {
  path: string
  title: string
  blurb: string
  crumbs: Crumb[]
  scope: Scope
  /** Its subcategories, or the categories beside it when it has none. */
  categories: readonly Category[]
  image?: { url: string; alt: string }
}

/** The whole shop, its categories and its collections. */
export function catalogPages(app: App, storefront: Storefront): void {
  const list = (route: string, subjectOf: (request: CachedRequest) => Subject | undefined) =>
    cachedPage(app, storefront, {
      route,
      query: LIST_PARAMETERS.filter((name) => name !== 'q'),
      view: async (request) => {
        const subject = subjectOf(request)
        return (subject && (await listPage(request, subject))) ?? notFound(request.context)
      },
    })
  list('/shop', everything)
  list('/shop/:category', category)
  list('/collections/:slug', collection)
}

const categoryTo = (slug: string): string => `/shop/${encodeURIComponent(slug)}`

function everything({ context }: CachedRequest): Subject {
  const { frame, language } = context
  const title = language.t('list.everything')
  const path = '/shop'
  const crumbs = [homeCrumb(context), { label: title, to: path }]
  return { path, title, blurb: language.t('list.everythingText'), crumbs, scope: {}, categories: frame.categories }
}

function category({ params, context }: CachedRequest): Subject | undefined {
  const slug = params['category'] ?? ''
  const way = categoryPath(context.frame.categories, slug)
  const found = way.at(-1)
  if (!found) return undefined
  const { name, blurb, children = [], image } = found
  return {
    path: categoryTo(slug),
    title: name,
    blurb,
    crumbs: [homeCrumb(context), ...way.map((each) => ({ label: each.name, to: categoryTo(each.slug) }))],
    scope: { category: slug },
    categories: children.length > 0 ? children : (way.at(-2)?.children ?? []),
    image,
  }
}

function collection({ params, context }: CachedRequest): Subject | undefined {
  const slug = params['slug'] ?? ''
  const found = context.frame.collections.find((each) => each.slug === slug)
  if (!found) return undefined
  const { title, blurb, image } = found
  const path = `/collections/${encodeURIComponent(slug)}`
  const crumbs = [homeCrumb(context), { label: title, to: path }]
  return { path, title, blurb, crumbs, scope: { collection: slug }, categories: [], image }
}

function homeCrumb({ language }: CachedRequest['context']): Crumb {
  return { label: language.t('common.home'), to: '/' }
}

/** @returns undefined for a page after the last one */
async function listPage({ query, context, catalog }: CachedRequest, subject: Subject): Promise<PageView | undefined> {
  const { frame, language, storefrontUrl } = context
  const { currency } = frame
  const state = readListState(query, currency)
  const list = await readList(catalog, state, subject.scope)
  if (list.items.length === 0 && list.page > 1) return undefined
  const { path, title, blurb, crumbs, image } = subject
  const head = listHead({ path, state, list }, context)
  return {
    head: {
      ...head,
      title: list.page === 1 ? title : language.t('list.page', { title, page: list.page }),
      description: blurb === '' ? undefined : blurb,
      image,
      data: [...(head.data ?? []), breadcrumbData(crumbs, storefrontUrl)],
    },
    body: (
      <div class="page">
        <Breadcrumbs crumbs={crumbs} />
        <h1>{title}</h1>
        {blurb !== '' && <p class="list-blurb">{blurb}</p>}
        <Categories path={path} categories={subject.categories} />
        <ProductList
          path={path}
          state={state}
          list={list}
          empty={
            <EmptyList clear={isFiltered(state) ? listAddress(path, withoutFilters(state), currency) : undefined} />
          }
        />
      </div>
    ),
  }
}

function Categories({ path, categories }: Pick<Subject, 'path' | 'categories'>) {
  const { t } = useLanguage()
  if (categories.length === 0) return null
  return (
    <nav aria-label={t('list.subcategories')}>
      <ul class="chips chips-row">
        {categories.map(({ slug, name }) => {
          const to = categoryTo(slug)
          return (
            <li>
              <a class="chip" href={to} aria-current={to === path ? 'page' : undefined}>
                {name}
              </a>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
