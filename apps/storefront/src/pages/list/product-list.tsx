import type { ComponentChildren } from 'preact'
import { usePage } from '../../layout/page-context.ts'
import { Icon } from '../../parts/icon.tsx'
import { ProductCard } from '../../parts/product-card.tsx'
import { chosenFilters, type ChosenFilter } from './chosen-filters.ts'
import { FilterForm } from './filter-form.tsx'
import { ListPages } from './list-pages.tsx'
import { IN_PLACE, type ListProps } from './list-props.ts'
import { listAddress, SORTS, withoutFilters, type ListState } from './list-state.ts'

/** The cards that a phone or a desk shows without scrolling. */
const FIRST_CARDS = 2

/** Products with filters, an order and pages; everything works by links and one form. */
export function ProductList({ path, state, list, empty }: ListProps & { empty: ComponentChildren }) {
  const { frame, language } = usePage()
  const { t, number } = language
  const chosen = chosenFilters(state, list, language, frame.currency)
  const counted = { count: list.total, number: number(list.total) }
  const count = t('list.count', counted)
  const chosenCount = chosen.length > 0 ? `(${number(chosen.length)})` : ''
  return (
    <div class="list">
      <FilterForm path={path} state={state} list={list} />
      <div class="list-main">
        <div class="list-bar">
          <button type="button" class="button button-outline list-open" popovertarget="filters">
            {t('list.filter')} <span id="list-chosen">{chosenCount}</span>
          </button>
          <p id="list-count" role="status">
            {count}
          </p>
          <SortField state={state} />
        </div>
        <section
          id="results"
          aria-label={t('list.products')}
          tabindex={-1}
          hx-history-elt
          data-count={count}
          data-show={t('list.show', counted)}
          data-chosen={chosenCount}
        >
          <h2 class="visually-hidden">{t('list.products')}</h2>
          {chosen.length > 0 && <Chips path={path} state={state} chosen={chosen} />}
          {list.items.length > 0 ? (
            <ul class="grid" id="grid">
              {list.items.map((product, index) => (
                <li>
                  <ProductCard product={product} isFirst={state.page === 1 && index < FIRST_CARDS} />
                </li>
              ))}
              <More path={path} state={state} list={list} />
            </ul>
          ) : (
            empty
          )}
          <ListPages path={path} state={state} list={list} />
        </section>
      </div>
    </div>
  )
}

function SortField({ state }: { state: ListState }) {
  const { t } = usePage().language
  return (
    <p class="list-sort">
      <label for="sort">{t('list.sort')}</label>
      <select id="sort" name="sort" form="filters">
        {SORTS.map((sort) => (
          // The first one is the default, which the address does not name.
          <option value={sort === 'featured' ? '' : sort} selected={sort === state.sort}>
            {t(`list.sorts.${sort === 'featured' && state.q !== '' ? 'match' : sort}`)}
          </option>
        ))}
      </select>
      <button class="button button-outline script-off" form="filters">
        {t('list.apply')}
      </button>
    </p>
  )
}

function Chips({ path, state, chosen }: Pick<ListProps, 'path' | 'state'> & { chosen: readonly ChosenFilter[] }) {
  const { frame, language } = usePage()
  const { t } = language
  const clear = listAddress(path, withoutFilters(state), frame.currency)
  return (
    <ul class="chips" aria-label={t('list.chosen')}>
      {chosen.map(({ label, without }) => {
        const address = listAddress(path, without, frame.currency)
        return (
          <li>
            <a
              class="chip"
              href={address}
              rel="nofollow"
              aria-label={t('list.remove', { label })}
              hx-get={address}
              hx-push-url="true"
              {...IN_PLACE}
            >
              {label} <Icon name="close" />
            </a>
          </li>
        )
      })}
      <li>
        <a class="chip chip-clear" href={clear} hx-get={clear} hx-push-url="true" {...IN_PLACE}>
          {t('list.clear')}
        </a>
      </li>
    </ul>
  )
}

/** For scripts: the next page, added to this one. */
function More({ path, state, list }: ListProps) {
  const { frame, language } = usePage()
  if (list.nextCursor === undefined) return null
  const address = listAddress(path, { ...state, page: list.page + 1, cursor: list.nextCursor }, frame.currency)
  return (
    <li id="more" class="grid-more script-on">
      <button
        type="button"
        class="button button-outline"
        hx-get={address}
        hx-target="#more"
        hx-select="#grid > li"
        hx-swap="outerHTML"
        hx-indicator="#more"
      >
        {language.t('list.more')}
      </button>
    </li>
  )
}
