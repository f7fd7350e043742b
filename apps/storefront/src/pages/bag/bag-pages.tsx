import { StorefrontError } from '@storefront/client'
import type { ComponentChildren } from 'preact'
import { OwnContents } from '../../parts/own-contents.tsx'
import { livePage, type LiveRequest, type LiveResult } from '../../server/live-page.tsx'
import type { App, Storefront } from '../../server/storefront.ts'
import { found } from '../../shop/catalog.ts'
import { customerOf } from '../account/customer-of.ts'
import { dropSession } from '../account/drop-session.ts'
import { variantOfForm } from '../product/product-options.ts'
import { changesOf } from './bag-changes.ts'
import { BagContents, type Cart } from './bag-contents.tsx'
import { recommendedFor } from './recommended.ts'

/** Errors of a cart that the shopper can do something about. */
const SHOWN = new Set([
  'insufficient_inventory',
  'out_of_stock',
  'variant_not_found',
  'line_not_found',
  'validation_failed',
  'invalid_discount',
  'rate_limited',
])

export function bagPages(app: App, storefront: Storefront): void {
  const post = (route: string, view: (request: LiveRequest) => Promise<LiveResult>) =>
    livePage(app, storefront, { method: 'POST', route, view })
  livePage(app, storefront, { route: '/cart', view: bagPage })
  livePage(app, storefront, {
    route: '/cart/contents',
    view: async (request) => (request.hasScript ? showBag(request, await readBag(request)) : { redirect: '/cart' }),
  })
  // A browser requests these when the address of a form is opened again.
  for (const route of ['/bag/lines', '/bag/discount']) {
    livePage(app, storefront, { route, view: () => Promise.resolve({ redirect: '/cart' }) })
  }
  post('/bag/lines', addLine)
  post('/bag/lines/:line', changeLine)
  post('/bag/discount', changeCode)
}

async function bagPage(request: LiveRequest): Promise<LiveResult> {
  const title = request.context.language.t('bag.title')
  const bag = await readBag(request)
  if (request.hasScript) return showBag(request, bag, 'page')
  // A script knows the bag of this browser when there is no cookie.
  const isKnown = request.bagId !== undefined
  return {
    head: { title, canonical: '/cart', awaitsBag: !isKnown },
    body: (
      <section class="page">
        <h1>{title}</h1>
        {isKnown ? (
          <div id="bag-page">
            <BagContents place="page" {...await contentsOf(request, bag)} />
          </div>
        ) : (
          <OwnContents id="bag-page" from="/cart">
            <BagContents cart={undefined} place="page" />
          </OwnContents>
        )}
      </section>
    ),
  }
}

interface Bag {
  cart?: Cart | undefined
  notice?: ComponentChildren
}

async function readBag(request: LiveRequest): Promise<Bag> {
  const { bagId, shop, query, context } = request
  if (bagId === undefined) return {}
  const cart = await found(shop.get('/carts/{id}', { params: { path: { id: bagId } } }))
  if (cart) return query.has('added') ? { cart, notice: context.language.t('bag.added') } : { cart }
  return goneBag(request)
}

/** A cart that no longer exists is an empty bag, and the page says why. */
async function goneBag(request: LiveRequest): Promise<Bag> {
  const { token, setBag, context } = request
  const { t } = context.language
  if (await customerOf(request)) {
    setBag(undefined)
    return { notice: t('bag.expired') }
  }
  if (token === undefined) setBag(undefined)
  else await dropSession(request)
  const notice = (
    <>
      {t(token === undefined ? 'bag.expired' : 'account.sessionEnded')}{' '}
      <a href="/account?next=/cart">{t('account.signIn')}</a>
    </>
  )
  return { notice }
}

async function addLine(request: LiveRequest): Promise<LiveResult> {
  const { form, context } = request
  const variantId = await chosenVariantId(request)
  if (variantId === undefined) {
    const { cart } = await readBag(request)
    return showBag(request, { cart, notice: context.language.t('bag.chooseFirst') })
  }
  const body = { variant_id: variantId, quantity: Number(form.get('quantity') ?? 1) }
  const add = (id: string) => request.shop.post('/carts/{id}/lines', { params: { path: { id } }, body })
  return change(request, async () => {
    const cart = request.bagId === undefined ? undefined : await found(add(request.bagId), 'cart_not_found')
    const added = cart ?? (await add(await newBag(request)))
    return { cart: added, notice: context.language.t('bag.added') }
  })
}

/** A form names the variant, or a product and the value of each option. @returns undefined when a value is missing */
async function chosenVariantId({ form, catalog }: LiveRequest): Promise<string | undefined> {
  const slug = form.get('product')
  if (slug === null) return form.get('variant') ?? ''
  const product = await catalog.product(slug)
  return product && variantOfForm(product, form)?.id
}

async function newBag({ shop, setBag }: LiveRequest): Promise<string> {
  const { id } = await shop.post('/carts')
  setBag(id)
  return id
}

async function changeLine(request: LiveRequest): Promise<LiveResult> {
  const { bagId, shop, params, form } = request
  if (bagId === undefined) return { redirect: '/cart' }
  const path = { id: bagId, lineId: params['line'] ?? '' }
  const typed = form.get('remove') === '1' ? '0' : (form.get('quantity') ?? '').trim()
  if (typed === '') return showAgain(request, await readBag(request))
  const quantity = Number(typed)
  return change(request, async () => ({
    cart:
      quantity === 0
        ? await shop.delete('/carts/{id}/lines/{lineId}', { params: { path } })
        : await shop.patch('/carts/{id}/lines/{lineId}', { params: { path }, body: { quantity } }),
  }))
}

async function changeCode(request: LiveRequest): Promise<LiveResult> {
  const { bagId, shop, form } = request
  if (bagId === undefined) return { redirect: '/cart' }
  const code = (form.get('code') ?? '').trim()
  return change(request, async () => ({
    cart: await shop.post('/carts/{id}/discount', { params: { path: { id: bagId } }, body: { code } }),
  }))
}

/** Leads to the changed bag; for an error that concerns the shopper, the bag as it is with a sentence about it. */
async function change(request: LiveRequest, make: () => Promise<Bag>): Promise<LiveResult> {
  try {
    const bag = await make()
    // A page that is loaded again must not send the form again.
    if (!request.hasScript && bag.notice !== undefined) return { redirect: '/cart?added=1' }
    return await showBag(request, bag)
  } catch (error) {
    if (!(error instanceof StorefrontError)) throw error
    if (error.code === 'cart_not_found') return showBag(request, await goneBag(request))
    if (!SHOWN.has(error.code)) throw error
    const problem = request.context.language.error(error)
    const { cart } = await readBag(request)
    if (error.code === 'invalid_discount') return showBag(request, { cart }, undefined, problem)
    return showAgain(request, { cart, notice: problem })
  }
}

/** The bag as it is, also where something else was typed, which a morph would keep. */
function showAgain(request: LiveRequest, bag: Bag): Promise<LiveResult> {
  request.setResponseHeader('hx-reswap', 'innerHTML')
  return showBag(request, bag)
}

/** The bag with what has changed about it, and what goes with it. */
async function contentsOf(request: LiveRequest, { cart, notice }: Bag) {
  if (!cart) return { cart, notice }
  const [changes, recommended] = await Promise.all([changesOf(request, cart), recommendedFor(request, cart)])
  return { cart, notice, changes, recommended }
}

async function showBag(request: LiveRequest, bag: Bag, wanted?: 'page', codeProblem?: string): Promise<LiveResult> {
  const { cart, notice } = bag
  request.showCount(cart?.lines ?? [])
  const place = wanted ?? (request.query.get('place') === 'page' ? 'page' : 'drawer')
  if (request.hasScript) {
    return { fragment: <BagContents place={place} codeProblem={codeProblem} {...await contentsOf(request, bag)} /> }
  }
  // Without a problem the browser is redirected to the page, so that a reload sends no form again.
  const contents = await contentsOf(request, bag)
  const hasMessage = notice !== undefined || codeProblem !== undefined || (contents.changes ?? []).length > 0
  if (!hasMessage) return { redirect: '/cart' }
  const title = request.context.language.t('bag.title')
  return {
    head: { title, isPrivate: true },
    body: (
      <section class="page">
        <h1>{title}</h1>
        <BagContents place="page" codeProblem={codeProblem} {...contents} />
      </section>
    ),
  }
}
