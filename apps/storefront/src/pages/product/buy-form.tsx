import { useLanguage } from '../../layout/page-context.ts'
import { lowestPrice, priceOf, type ShownPrice } from '../../parts/lowest-price.ts'
import { Price } from '../../parts/price.tsx'
import { Swatch } from '../../parts/product-card.tsx'
import type { Language } from '../../messages/language.ts'
import type { Variant } from '../../shop/catalog.ts'
import { stateOfValue, type ScriptVariant, type ValueState } from './choice.ts'
import { OPTION_FIELD, type ProductOption } from './product-options.ts'
import type { ProductView } from './product-view.ts'
import { sentOnce } from '../../parts/sent-once.ts'

/** Of a variant with this many pieces or fewer the page says how many are left. */
const FEW = 5

/** The price of what is chosen; the lowest one until then. */
export function ChosenPrice({ view: { chosen, product }, isQuiet = false }: { view: ProductView; isQuiet?: boolean }) {
  return (
    <div class="chosen-price" data-shows-price aria-live={isQuiet ? undefined : 'polite'}>
      <Price {...(chosen ? priceOf(chosen.variant) : lowestPrice(product))} />
    </div>
  )
}

/** Chooses a variant, and puts it into the bag. The server finds the variant by its options, also without a script. */
export function BuyForm({ view }: { view: ProductView }) {
  const { product, options, choices, chosen } = view
  const language = useLanguage()
  const { t } = language
  const prices = pricesOf(choices.map(({ variant }) => variant))
  const variants = choices.map(({ variant, values, available }): ScriptVariant => ({
    id: variant.id,
    values,
    available,
    image: variant.imageId,
    price: prices.findIndex((price) => isPriceOf(price, variant)),
    hint: stockHint(variant, language),
  }))
  return (
    <form
      id="buy"
      class="buy"
      {...sentOnce('/bag/lines')}
      hx-target="#bag-contents"
      data-variants={JSON.stringify(variants)}
      data-sold-out={t('product.soldOutState')}
      data-absent={t('product.absentState')}
      data-absent-hint={t('product.absent')}
      data-add={t('product.add')}
      data-unavailable={t('common.badge.sold-out')}
    >
      <input type="hidden" name="product" value={product.slug} />
      {options.map((option, index) => (
        <Option view={view} option={option} index={index} />
      ))}
      <SoldOutList view={view} />
      <p class="stock" role="status" data-shows-stock>
        {chosen && stockHint(chosen.variant, language)}
      </p>
      <div class="buy-row">
        <label class="buy-quantity">
          <span class="visually-hidden">{t('product.quantity')}</span>
          <input type="number" name="quantity" min="1" max="999" value="1" required inputmode="numeric" />
        </label>
        <AddButton view={view} />
      </div>
      {[lowestPrice(product), ...prices].map((price, index) => (
        <template data-price={index - 1}>
          <Price {...price} />
        </template>
      ))}
    </form>
  )
}

interface OptionProps {
  view: ProductView
  option: ProductOption
  index: number
}

function Option({ view, option, index }: OptionProps) {
  const { t } = useLanguage()
  const { name, values, isColor, isSize } = option
  const optionName = isSize ? t('product.size') : name
  const label = isColor ? t('product.color') : optionName
  const field = `${OPTION_FIELD}${name}`
  const [only] = values
  if (values.length === 1) {
    return (
      <p class="option-only">
        <span class="option-name">{label}</span> {only}
        <input type="hidden" name={field} value={only} data-option={index} />
      </p>
    )
  }
  const problem = `option-${index}-problem`
  return (
    <fieldset class="option" aria-describedby={problem}>
      <legend>
        <span class="option-name">{label}</span> <span class="script-on" data-shows-chosen={index} />
      </legend>
      {isSize && <SizeHelp view={view} />}
      <div class="option-values">
        {values.map((value) => (
          <Value view={view} option={option} index={index} value={value} />
        ))}
      </div>
      <p class="problem" id={problem} data-problem hidden>
        {t('product.chooseOption', { option: label })}
      </p>
    </fieldset>
  )
}

function Value({ view, option, index, value }: OptionProps & { value: string }) {
  const { t } = useLanguage()
  const { product, choices, selection } = view
  const { name, isColor } = option
  const state = stateOfValue(choices, selection, index, value)
  const hex = isColor ? product.swatches[value] : undefined
  const suffixes: Record<ValueState, string> = {
    available: '',
    'sold-out': t('product.soldOutState'),
    absent: t('product.absentState'),
  }
  return (
    <label class="value" data-state={state}>
      <input
        type="radio"
        name={`${OPTION_FIELD}${name}`}
        value={value}
        required
        defaultChecked={selection[index] === value}
        data-option={index}
      />
      {hex !== undefined && <Swatch hex={hex} />}
      <span class="value-name">{value}</span>
      {/* It depends on what is chosen, which only a script can follow. */}
      <span class="visually-hidden script-on" data-state-text>
        {suffixes[state]}
      </span>
    </label>
  )
}

function SizeHelp({ view: { product } }: { view: ProductView }) {
  const { t } = useLanguage()
  return product.sizeChart ? (
    <a class="option-help" href="#size-chart" data-opens="size-chart">
      {t('product.sizeChart')}
    </a>
  ) : (
    <a class="option-help" href="/pages/size-guide">
      {t('product.sizeGuide')}
    </a>
  )
}

/** Without a script no size is struck through: what is sold out is listed. */
function SoldOutList({ view: { choices } }: { view: ProductView }) {
  const { t } = useLanguage()
  const soldOut = choices.filter(({ available }) => !available)
  if (soldOut.length === 0) return null
  return (
    <noscript>
      <p class="hint">
        {t('product.soldOutList', { variants: soldOut.map(({ values }) => values.join(' ')).join(', ') })}
      </p>
    </noscript>
  )
}

function stockHint({ available, inventory }: Variant, { t }: Language): string {
  if (!available) return t('product.soldOut')
  return inventory <= FEW ? t('product.left', { count: inventory }) : ''
}

function isPriceOf({ price, before }: ShownPrice, variant: Variant): boolean {
  return price.amount === variant.price.amount && before?.amount === variant.compareAtPrice?.amount
}

/** Each price once. */
function pricesOf(variants: readonly Variant[]): ShownPrice[] {
  const prices: ShownPrice[] = []
  for (const variant of variants) {
    if (prices.some((price) => isPriceOf(price, variant))) continue
    prices.push(priceOf(variant))
  }
  return prices
}

function AddButton({ view: { choices }, form }: { view: ProductView; form?: string }) {
  const { t } = useLanguage()
  const isSoldOut = !choices.some(({ available }) => available)
  return (
    <button class={form === undefined ? 'button button-wide' : 'button'} form={form} disabled={isSoldOut} data-adds>
      {isSoldOut ? t('common.badge.sold-out') : t('product.add')}
    </button>
  )
}

/** On phones, while the button of the form is out of sight. A script shows it. */
export function BuyBar({ view }: { view: ProductView }) {
  return (
    <div class="buy-bar" data-buy-bar hidden>
      <div>
        <p class="buy-bar-title">{view.product.title}</p>
        <ChosenPrice view={view} isQuiet />
      </div>
      <AddButton view={view} form="buy" />
    </div>
  )
}
