import type { ComponentChildren } from 'preact'
import { usePage } from '../../layout/page-context.ts'
import { Icon } from '../../parts/icon.tsx'
import { Swatch } from '../../parts/product-card.tsx'
import { chosenValues, majorUnits } from './list-state.ts'
import type { ListProps } from './list-props.ts'

/** A longer list of boxes would not help to choose. The chosen ones are always shown. */
const MAX_VALUES = 150

/**
 * The filters: a sheet on phones, which opens without a script, and a column on desks. A script sends it with each
 * change.
 */
export function FilterForm({ path, state, list }: ListProps) {
  const { t, number } = usePage().language
  const { facets } = list
  const colors = facets.colors.map(({ name }) => name)
  const hexes = new Map(facets.colors.map(({ name, hex }) => [name, hex]))
  return (
    <form
      id="filters"
      class="filters"
      popover="auto"
      aria-label={t('list.filters')}
      action={path}
      hx-get={path}
      hx-target="#results"
      hx-select="#results"
      hx-swap="outerHTML"
      hx-indicator="#results"
      hx-push-url="true"
      hx-sync="this:replace"
    >
      <div class="filters-head">
        <p class="filters-title">{t('list.filters')}</p>
        <button type="button" class="tool" popovertarget="filters" aria-label={t('common.close')}>
          <Icon name="close" />
        </button>
      </div>
      {state.q !== '' && <input type="hidden" name="q" value={state.q} />}
      <Facet label={t('list.size')} name="sizes" chosen={state.sizes} values={facets.sizes} isOpen looks="pills" />
      <Facet
        label={t('list.color')}
        name="colors"
        chosen={state.colors}
        values={colors}
        isOpen
        mark={(color) => <Swatch hex={hexes.get(color) ?? 'none'} />}
      />
      <Prices state={state} list={list} />
      <Facet label={t('list.tag')} name="tags" chosen={state.tags} values={facets.tags} />
      <Group label={t('list.availability')} isOpen>
        <label class="choice">
          <input type="checkbox" name="in_stock" value="1" checked={state.inStock} />
          {t('list.inStock')}
        </label>
      </Group>
      <div class="filters-foot">
        <button class="button button-wide script-off">{t('list.apply')}</button>
        <button type="button" class="button button-wide script-on filters-done" popovertarget="filters">
          {t('list.show', { count: list.total, number: number(list.total) })}
        </button>
      </div>
    </form>
  )
}

interface FacetProps {
  label: string
  name: 'sizes' | 'colors' | 'tags'
  /** The chosen values, joined by commas. */
  chosen: string
  values: readonly string[]
  isOpen?: boolean
  looks?: 'pills'
  mark?: (value: string) => ComponentChildren
}

function Facet({ label, name, chosen, values, isOpen = false, looks, mark }: FacetProps) {
  const known = chosenValues(chosen, values).filter((value) => values.includes(value))
  const checked = new Set(known)
  const shown = values.length > MAX_VALUES ? [...new Set([...known, ...values])].slice(0, MAX_VALUES) : values
  if (shown.length === 0) return null
  return (
    <Group label={label} isOpen={isOpen || known.length > 0} looks={looks}>
      {shown.map((value) => (
        <label class="choice">
          <input type="checkbox" name={name} value={value} checked={checked.has(value)} />
          {mark?.(value)}
          {value}
        </label>
      ))}
    </Group>
  )
}

interface GroupProps {
  label: string
  isOpen: boolean
  looks?: 'pills' | undefined
  children: ComponentChildren
}

function Group({ label, isOpen, looks, children }: GroupProps) {
  return (
    <details class="facet" open={isOpen}>
      <summary>{label}</summary>
      <fieldset class={looks === undefined ? 'choices' : `choices choices-${looks}`}>
        <legend class="visually-hidden">{label}</legend>
        {children}
      </fieldset>
    </details>
  )
}

function Prices({ state, list }: Pick<ListProps, 'state' | 'list'>) {
  const { frame, language } = usePage()
  const { t } = language
  const { currency } = frame
  const { min, max } = list.facets.priceRange
  if (max === 0) return null
  const field = (name: string, label: string, hint: string, value: number | undefined, limit: number) => (
    <label class="price-field">
      <span aria-hidden="true">{label}</span>
      <span class="visually-hidden">{hint}</span>
      <input
        type="number"
        name={name}
        min="0"
        step="any"
        inputmode="decimal"
        placeholder={majorUnits(limit, currency)}
        value={majorUnits(value, currency)}
      />
    </label>
  )
  return (
    <Group label={t('list.price')} isOpen>
      <div class="prices">
        {field('min_price', t('list.from'), t('list.minPrice', { currency }), state.minPrice, min)}
        {field('max_price', t('list.to'), t('list.maxPrice', { currency }), state.maxPrice, max)}
      </div>
    </Group>
  )
}
