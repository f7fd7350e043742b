import type { components } from '@storefront/client'
import type { ComponentChildren } from 'preact'
import { usePage } from '../../layout/page-context.ts'
import { Icon } from '../../parts/icon.tsx'
import { Picture } from '../../parts/picture.tsx'
import { ProductCard } from '../../parts/product-card.tsx'
import { Totals } from '../../parts/totals.tsx'
import type { Product } from '../../shop/catalog.ts'

export type Cart = components['schemas']['Cart']
type CartLine = components['schemas']['CartLine']

interface BagProps {
  cart: Cart | undefined
  /** Where the forms send the shopper without a script, and which part a script replaces. */
  place: 'drawer' | 'page'
  /** What went wrong, or what the shopper should know. */
  notice?: ComponentChildren
  /** What has changed since the shopper saw the bag last. */
  changes?: readonly string[] | undefined
  /** Products that go with it. */
  recommended?: readonly Product[] | undefined
  /** What is wrong with the discount code that was sent. */
  codeProblem?: string | undefined
}

export function BagContents({ cart, place, notice, changes = [], recommended = [], codeProblem }: BagProps) {
  const { frame, language } = usePage()
  const { t } = language
  if (!cart || cart.lines.length === 0) {
    return (
      <div class="bag">
        {notice && <p class="notice">{notice}</p>}
        <p class="bag-empty">{t('bag.empty')}</p>
        <p class="hint">{t('bag.emptyText')}</p>
        <a class="button button-outline" href="/shop">
          {t('bag.keepShopping')}
        </a>
      </div>
    )
  }
  return (
    <div class="bag">
      {notice && (
        <p class="notice" role="status">
          {notice}
        </p>
      )}
      {changes.length > 0 && (
        <ul class="notice bag-changes" role="status">
          {changes.map((change) => (
            <li>{change}</li>
          ))}
        </ul>
      )}
      <FreeShipping cart={cart} />
      <ul class="bag-lines">
        {cart.lines.map((line) => (
          <Line line={line} place={place} />
        ))}
      </ul>
      {frame.settings.features?.discountCodes !== false && <Code cart={cart} place={place} problem={codeProblem} />}
      {/* The drawer reads out all that changes. */}
      <div role={place === 'page' ? 'status' : undefined}>
        <Totals cart={cart} />
      </div>
      <TaxNote />
      <a class="button button-wide" href="/checkout">
        {t('bag.checkout')}
      </a>
      {place === 'drawer' && (
        <a class="more" href="/cart">
          {t('bag.view')} <Icon name="arrow" />
        </a>
      )}
      <Recommended products={recommended} />
    </div>
  )
}

/** Shipping and tax depend on the address, which the checkout knows. */
function TaxNote() {
  const { frame, language } = usePage()
  const { showTaxNote, taxNote } = frame.settings.pricing ?? {}
  return (
    <p class="hint">
      {language.t('bag.estimate')} {showTaxNote === true && taxNote}
    </p>
  )
}

function Recommended({ products }: { products: readonly Product[] }) {
  const { frame, language } = usePage()
  if (products.length === 0) return null
  const title = frame.settings.recommendations?.inCart?.title || language.t('bag.recommended')
  return (
    <section class="bag-recommended">
      <h2>{title}</h2>
      <ul>
        {products.map((product) => (
          <li>
            <ProductCard product={product} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function FreeShipping({ cart }: { cart: Cart }) {
  const { t, money } = usePage().language
  const { freeShippingThreshold: threshold, freeShippingRemaining: remaining } = cart
  if (threshold.amount === 0) return null
  const reached = threshold.amount - remaining.amount
  return (
    <div class="free-shipping">
      <p>
        {remaining.amount === 0
          ? t('bag.freeShippingReached')
          : t('bag.freeShippingMissing', { amount: money(remaining) })}
      </p>
      <progress value={reached} max={threshold.amount} aria-hidden="true" />
    </div>
  )
}

/** Has a script render the bag again, in which the focus stays where it is. */
const sendsTo = (address: string, place: BagProps['place']) => ({
  'hx-post': `${address}?place=${place}`,
  'hx-target': place === 'drawer' ? '#bag-contents' : '#bag-page',
  'hx-swap': 'innerMorph',
})

function Line({ line, place }: { line: CartLine; place: BagProps['place'] }) {
  const { t, money } = usePage().language
  const { id, title, productSlug, options, image, quantity, lineTotal, available } = line
  const address = `/bag/lines/${encodeURIComponent(id)}`
  const chosen = Object.values(options).join(' · ')
  return (
    <li class="bag-line" data-line={id} data-price={line.unitPrice.amount}>
      <Picture picture={image} sizes="6rem" />
      <div>
        <a href={`/product/${encodeURIComponent(productSlug)}`}>{title}</a>
        {chosen !== '' && <p class="hint">{chosen}</p>}
        {available === false && <p class="problem">{t('bag.withdrawn')}</p>}
        <form
          class="bag-quantity"
          method="post"
          action={address}
          {...sendsTo(address, place)}
          hx-trigger="change, submit"
          hx-sync="this:replace"
        >
          <input type="hidden" name="before" value={line.unitPrice.amount} />
          <input
            id={`quantity-${place}-${id}`}
            type="number"
            name="quantity"
            min="0"
            max="999"
            value={quantity}
            aria-label={t('bag.quantity', { title })}
          />
          <button class="button button-small script-off">{t('bag.change')}</button>
          <button
            id={`remove-${place}-${id}`}
            class="link"
            name="remove"
            value="1"
            aria-label={t('bag.remove', { title })}
          >
            {t('bag.removeShort')}
          </button>
        </form>
      </div>
      <p class="bag-amount">{money(lineTotal)}</p>
    </li>
  )
}

function Code({ cart, place, problem }: { cart: Cart; place: BagProps['place']; problem: string | undefined }) {
  const { t } = usePage().language
  const field = `code-${place}`
  const form = { method: 'post', action: '/bag/discount', ...sendsTo('/bag/discount', place) }
  if (cart.discountCode) {
    const { code, label } = cart.discountCode
    return (
      <form class="bag-code" {...form}>
        <input type="hidden" name="code" value="" />
        <p>
          <strong>{code}</strong> <span class="hint">{label}</span>
        </p>
        <button class="link" aria-label={t('bag.codeRemove', { code })}>
          {t('bag.removeShort')}
        </button>
      </form>
    )
  }
  return (
    <form class="bag-code" {...form}>
      <label for={field}>{t('bag.code')}</label>
      <div class="field-row">
        <input
          id={field}
          name="code"
          maxlength={100}
          autocapitalize="characters"
          autocomplete="off"
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem ? `${field}-problem` : undefined}
        />
        <button class="button button-outline">{t('bag.codeApply')}</button>
      </div>
      {problem && (
        <p class="problem" id={`${field}-problem`} role="alert">
          {problem}
        </p>
      )}
    </form>
  )
}
