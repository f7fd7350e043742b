import type { LiveRequest } from '../../server/live-page.tsx'
import type { Cart } from './bag-contents.tsx'

/** What a script saw last: `line=amount` for each line, in the smallest unit. */
const SEEN_HEADER = 'x-bag-seen'
const MAX_LENGTH = 10_000
/** The API lists no more products at once. */
const MAX_PRODUCTS = 48

/** Sentences about what has changed since the shopper saw the bag last, and about what is sold out meanwhile. */
export async function changesOf(request: LiveRequest, cart: Cart): Promise<string[]> {
  return [...pricesOf(request, cart), ...(await stockOf(request, cart))]
}

function pricesOf({ header, form, params, context }: LiveRequest, { lines }: Cart): string[] {
  const { t, money, amount } = context.language
  const seen = readSeen(header(SEEN_HEADER))
  const line = params['line']
  const before = form.get('before')
  // Without a script only the line that was changed is known.
  if (line !== undefined && before !== null) seen.set(line, Number(before))
  return lines.flatMap(({ id, title, unitPrice }) => {
    const was = seen.get(id)
    if (was === undefined || !Number.isSafeInteger(was) || was === unitPrice.amount) return []
    const texts = { title, price: money(unitPrice), before: amount(was, unitPrice.currency) }
    return [t('bag.priceChanged', texts)]
  })
}

function readSeen(text: string | undefined): Map<string, number> {
  if (text === undefined || text.length > MAX_LENGTH) return new Map()
  const pairs = text.split(',').map((pair): [string, number] => {
    const [line = '', amount = ''] = pair.split('=')
    return [line, amount === '' ? Number.NaN : Number(amount)]
  })
  return new Map(pairs)
}

/** A cart does not contain the stock, and a shopper should not learn of it only at the checkout. */
async function stockOf({ catalog, context }: LiveRequest, { lines }: Cart): Promise<string[]> {
  const { t } = context.language
  const offered = lines.filter(({ available }) => available !== false)
  const slugs = [...new Set(offered.map(({ productSlug }) => productSlug))].slice(0, MAX_PRODUCTS)
  if (slugs.length === 0) return []
  const list = await catalog.products({ slugs: slugs.join(','), per_page: MAX_PRODUCTS }).catch(() => undefined)
  const variants = new Map(list?.items.flatMap((product) => product.variants.map((variant) => [variant.id, variant])))
  return offered.flatMap(({ variantId, title, options, quantity }) => {
    const left = variants.get(variantId)?.inventory ?? quantity
    if (left >= quantity) return []
    const name = [title, ...Object.values(options)].join(', ')
    return [left === 0 ? t('bag.soldOut', { title: name }) : t('bag.left', { title: name, count: left })]
  })
}
