import {
  ApiFailure,
  check,
  ContractFailure,
  createAdapter,
  isObject,
  itemsOf,
  listAt,
  moneyAt,
  objectAt,
  productAt,
  textAt,
  type Adapter,
  type Json,
  type Surroundings,
} from './adapter.ts'
import { DOCUMENT } from './document.ts'

export interface StepOptions extends Surroundings {
  adminEmail: string
  adminPassword: string
  /** A small picture. */
  picture: Blob
  /** Lets the buyer pay in the window of the provider. @returns the data that this window passes to the page */
  payAtRazorpay: (razorpayOrderId: string) => Promise<Json>
  /** The public half of the key, as the merchant enters it. */
  razorpayKeyId: string
}

export interface Step {
  name: string
  /** Absent when the reply was as the storefront needs it. */
  failure?: string
}

/**
 * Makes every call of the storefront, first those of a shopper and then those of a merchant, and reads of each reply
 * what its pages read.
 * @returns every step, with its failure if it has one
 */
export async function runSteps(options: StepOptions): Promise<Step[]> {
  const adapter = createAdapter(options)
  const steps: Step[] = []
  for (const [name, run] of [
    ...shopping(adapter),
    ...account(adapter),
    ...merchant(adapter, options),
    ...paying(adapter, options),
  ]) {
    try {
      await run()
      steps.push({ name })
    } catch (error) {
      steps.push({ name, failure: error instanceof Error ? error.message : String(error) })
    }
  }
  return steps
}

type Steps = readonly (readonly [name: string, run: () => Promise<void>])[]

const ADDRESS = {
  name: 'Ada Lovelace',
  line1: '12 St James Square',
  line2: '',
  city: 'London',
  region: '',
  postalCode: 'SW1Y 4JH',
  country: 'GB',
  phone: '',
}
const PASSWORD = 'a long enough password'

function shopping(shop: Adapter): Steps {
  let home: Json = {}
  let slug = ''
  let order: Json = {}
  const email = `guest-${Math.random().toString(36).slice(2)}@example.com`
  return [
    [
      'the first page: one reply has all its parts',
      async () => {
        home = await shop.getBootstrap()
        const categories = listAt(home['categories'], 'bootstrap.categories')
        for (const each of categories) {
          const { slug, name, image, count, children } = objectAt(each, 'a category')
          textAt(slug, 'category.slug')
          textAt(name, 'category.name')
          textAt(objectAt(image, 'category.image')['url'], 'category.image.url')
          check(typeof count === 'number', 'category.count', 'a number', count)
          listAt(children, 'category.children')
        }
        itemsOf(home['collections'], 'bootstrap.collections')
      },
    ],
    [
      'the first page: every section can be rendered',
      async () => {
        const settings = objectAt(home['storefront'], 'bootstrap.storefront')
        const rails = objectAt(home['rails'], 'bootstrap.rails')
        for (const each of listAt(settings['home'], 'home')) {
          const section = objectAt(each, 'a section')
          if (section['type'] === 'hero') {
            for (const action of listAt(section['actions'], 'hero.actions'))
              textAt(objectAt(action, 'action')['to'], 'action.to')
          }
          if (section['type'] !== 'product-rail') continue
          const source = objectAt(section['source'], 'rail.source')
          const key = JSON.stringify({
            sort: source['sort'] ?? 'featured',
            category: source['category'] ?? null,
            collection: source['collection'] ?? null,
            tags: source['tags'] ?? null,
            limit: source['limit'] ?? 4,
          })
          listAt(rails[key], `rails[${key}]`).forEach((product) => productAt(product, 'a product of a rail'))
        }
      },
    ],
    [
      'the header and the footer: menus, currencies, shipping and countries',
      async () => {
        const { navigation, commerce, pricing, checkout } = await shop.getStorefront()
        const { primary, footer } = objectAt(navigation, 'navigation')
        for (const item of listAt(primary, 'navigation.primary')) {
          const { to, categorySlug } = objectAt(item, 'a menu entry')
          textAt(to ?? categorySlug, 'to or categorySlug')
        }
        for (const column of listAt(footer, 'navigation.footer')) {
          for (const link of listAt(objectAt(column, 'column')['links'], 'column.links'))
            textAt(objectAt(link, 'link')['to'], 'link.to')
        }
        for (const method of listAt(objectAt(commerce, 'commerce')['shippingMethods'], 'shippingMethods')) {
          check(Number.isInteger(objectAt(method, 'method')['price']), 'shippingMethods[].price', 'an integer', method)
        }
        for (const pair of listAt(objectAt(commerce, 'commerce')['countries'], 'countries')) {
          const [code, name] = listAt(pair, 'a country')
          textAt(code, 'country code')
          textAt(name, 'country name')
        }
        for (const choice of listAt(objectAt(pricing, 'pricing')['currencies'], 'currencies')) {
          textAt(objectAt(choice, 'currency')['code'], 'currency.code')
        }
        textAt(objectAt(checkout, 'checkout')['createUrl'], 'checkout.createUrl')
      },
    ],
    [
      'promises and icons: each can be rendered',
      async () => {
        const icons = new Set(listAt((await shop.listAttributes())['icons'], 'icons'))
        for (const promise of listAt((await shop.getStorefront())['promises'], 'promises')) {
          const { icon, title } = objectAt(promise, 'a promise')
          check(icons.has(icon), 'promise.icon', 'one of the icons', icon)
          textAt(title, 'promise.title')
        }
      },
    ],
    [
      'categories as a tree and flat',
      async () => void (await Promise.all([shop.listCategories(), shop.listCategories({ tree: 0 })])),
    ],
    ['collections', async () => void (await shop.listCollections())],
    [
      'a list with every filter and order',
      async () => {
        for (const sort of ['featured', 'newest', 'price-asc', 'price-desc', 'rating', 'name'])
          await shop.listProducts({ sort, per_page: 48 })
        await shop.listProducts({ sizes: ['S', 'M'], colors: ['Navy', 'Black'], tags: ['gift'], in_stock: true })
        await shop.listProducts({ min_price: 1000, max_price: 9000, q: 'linen', page: 2, per_page: 3 })
        const { facets } = await shop.listProducts({ category: 'women' })
        const { sizes, colors, priceRange } = objectAt(facets, 'facets')
        listAt(sizes, 'facets.sizes')
        listAt(colors, 'facets.colors')
        objectAt(priceRange, 'facets.priceRange')
      },
    ],
    [
      'saved products of a guest, by their slugs',
      async () => {
        const [first, second, third] = itemsOf(await shop.listProducts({ per_page: 3 }), 'products')
        const slugs = [third, first, second].map((product) => textAt(product?.['slug'], 'slug'))
        const found = await shop.listProducts({ slugs, per_page: 48 })
        const got = itemsOf(found, 'slugs=').map((product) => product['slug'])
        check(JSON.stringify(got) === JSON.stringify(slugs), 'GET /products?slugs=', slugs.join(), got)
      },
    ],
    [
      'every product: the picker of its page reaches every variant',
      async () => {
        for (let page = 1; ; page++) {
          const { items, total } = await shop.listProducts({ page, per_page: 48 })
          for (const each of listAt(items, 'items')) pickEveryVariant(productAt(each, 'a product'))
          if (page * 48 >= Number(total)) break
        }
      },
    ],
    [
      'a product page',
      async () => {
        const [product] = itemsOf(await shop.listProducts({ in_stock: true, sort: 'rating', per_page: 1 }), 'products')
        slug = textAt(product?.['slug'], 'slug')
        await shop.getProduct(slug)
        await shop.getRelated(slug)
        await shop.getReviews(slug)
        await shop.getDeliveryEstimate({ method: 'standard', country: 'US' })
      },
    ],
    ['a product that does not exist', () => fails(() => shop.getProduct('nothing-of-the-kind'), 404, 'not_found')],
    [
      'a delivery that is not offered',
      () => fails(() => shop.getDeliveryEstimate({ method: 'drone', country: 'US' }), 404, 'not_found'),
    ],
    [
      'the bag',
      async () => {
        const bought = await buyable(shop)
        await shop.addToCart(bought, 1)
        const { lines } = await shop.addToCart(bought, 1)
        const line = objectAt(listAt(lines, 'lines')[0], 'a line')
        for (const key of ['id', 'variantId', 'productSlug', 'title']) textAt(line[key], `line.${key}`)
        moneyAt(line['unitPrice'], 'line.unitPrice')
        moneyAt(line['lineTotal'], 'line.lineTotal')
        const id = textAt(line['id'], 'line.id')
        await shop.updateCartLine(id, 1)
        const discounted = await shop.applyDiscount('freeship')
        textAt(objectAt(discounted['discountCode'], 'discountCode')['label'], 'discountCode.label')
        await shop.applyDiscount('')
        await fails(() => shop.applyDiscount('NOTHING'), 422, 'invalid_discount')
        await fails(() => shop.addToCart('var_none'), 404, 'variant_not_found')
        await shop.updateCartLine(id, 0)
        await shop.clearCart()
      },
    ],
    [
      'a cart that no longer exists is replaced by a new one',
      async () => {
        shop.rememberCart('cart_which_never_was')
        await shop.getCart()
      },
    ],
    [
      'a guest checks out and opens the order again',
      async () => {
        await shop.addToCart(await buyable(shop), 1)
        order = await shop.checkout({ email, shippingAddress: ADDRESS, shippingMethod: 'standard' })
        const id = textAt(order['id'], 'order.id')
        const opened = await shop.getOrder(id)
        for (const key of ['subtotal', 'discount', 'shipping', 'tax', 'total']) moneyAt(opened[key], `order.${key}`)
        await shop.getOrderByToken(id, textAt(order['accessToken'], 'order.accessToken'))
        await shop.lookUpOrder(textAt(order['number'], 'order.number').toLowerCase(), email.toUpperCase())
      },
    ],
    ['a wrong look-up', () => fails(() => shop.lookUpOrder('SF-1', email), 404, 'not_found')],
    [
      'an empty bag cannot be bought',
      () =>
        fails(() => shop.checkout({ email, shippingAddress: ADDRESS, shippingMethod: 'standard' }), 422, 'empty_cart'),
    ],
    ['the newsletter', async () => void (await shop.subscribe(email))],
    ['an invalid address', () => fails(() => shop.subscribe('nonsense'), 422, 'invalid_email')],
  ]
}

function account(shop: Adapter): Steps {
  const email = `ada-${Math.random().toString(36).slice(2)}@example.com`
  let address: Json = {}
  return [
    ['a visitor is not signed in', () => fails(() => shop.getMe(), 401, 'unauthenticated')],
    [
      'a password of six characters is rejected with a sentence for a person',
      async () => {
        const failure = await failureOf(() =>
          shop.register({ email, password: 'abc123', firstName: 'Ada', lastName: 'L' }),
        )
        check(
          failure.status === 422 && /8 characters/.test(failure.message),
          'POST /auth/register',
          'a sentence',
          failure.message,
        )
      },
    ],
    [
      'a customer registers',
      async () => void (await shop.register({ email, password: PASSWORD, firstName: 'Ada', lastName: 'Lovelace' })),
    ],
    [
      'the same address again',
      () =>
        fails(() => shop.register({ email, password: PASSWORD, firstName: 'A', lastName: 'B' }), 409, 'email_taken'),
    ],
    [
      'the account and its addresses',
      async () => {
        await shop.updateMe({ firstName: 'Augusta' })
        const { addresses } = await shop.saveAddress(ADDRESS)
        address = objectAt(listAt(addresses, 'addresses')[0], 'an address')
        const saved = await shop.saveAddress({ ...address, city: 'Bath' })
        check(JSON.stringify(saved).includes('Bath'), 'PATCH /me/addresses/:id', 'the whole customer', saved)
      },
    ],
    [
      'the wishlist',
      async () => {
        const [product] = itemsOf(await shop.listProducts({ per_page: 1 }), 'products')
        const slug = textAt(product?.['slug'], 'slug')
        await shop.addToWishlist(slug)
        const saved = await shop.getWishlist()
        productAt(saved[0], 'a saved product')
        await shop.removeFromWishlist(slug)
      },
    ],
    [
      'a customer buys and sees the order',
      async () => {
        shop.dropCart()
        await shop.addToCart(await buyable(shop), 1)
        const { id } = await shop.checkout({ email, shippingAddress: ADDRESS, shippingMethod: 'express' })
        const orders = await shop.listOrders()
        check(
          orders.some((order) => order['id'] === id),
          'GET /orders',
          'the new order',
          orders.length,
        )
      },
    ],
    ['an address is deleted', async () => void (await shop.deleteAddress(textAt(address['id'], 'address.id')))],
    ['signing out', async () => void (await shop.logout())],
    [
      'a wrong password',
      () => fails(() => shop.login({ email, password: 'wrong and long' }), 401, 'invalid_credentials'),
    ],
    [
      'signing in again, and out',
      async () => {
        await shop.login({ email, password: PASSWORD })
        await shop.getMe()
        await shop.logout()
        await fails(() => shop.getMe(), 401, 'unauthenticated')
      },
    ],
  ]
}

function merchant(shop: Adapter, options: StepOptions): Steps {
  let product: Json = {}
  const mark = Math.random().toString(36).slice(2)
  return [
    ['the admin routes require a sign-in', () => fails(() => shop.adminListProducts(), 401, 'unauthenticated')],
    [
      'a merchant signs in by user name',
      async () => void (await shop.adminLogin({ username: options.adminEmail, password: options.adminPassword })),
    ],
    [
      'a picture is uploaded, and the reply describes it',
      async () => {
        const file = await shop.uploadMedia(options.picture, 'shirt.png')
        for (const key of ['id', 'url']) textAt(file[key], `media.${key}`)
        check(file['type'] === 'image', 'media.type', 'image', file['type'])
        for (const key of ['width', 'height']) check(Number.isInteger(file[key]), `media.${key}`, 'a number', file[key])
        check('duration' in file, 'media.duration', 'a value or null', file)
        await shop.listMedia()
        product = {
          images: [
            {
              id: file['id'],
              url: file['url'],
              type: file['type'],
              alt: 'A shirt',
              width: file['width'],
              height: null,
            },
          ],
        }
      },
    ],
    [
      'a new product, as the editor sends it',
      async () => {
        product = await shop.adminSaveProduct({
          slug: `shirt-${mark}`,
          title: 'Shirt',
          subtitle: '',
          description: '',
          details: [],
          care: [],
          tags: [],
          badges: [],
          price: { amount: 4900, currency: 'USD' },
          compareAtPrice: null,
          images: product['images'],
          options: [
            { name: 'Color', values: ['Navy'] },
            { name: 'Size', values: ['S', 'M'] },
          ],
          swatches: { Navy: '#001f3f' },
          variants: ['S', 'M'].map((size) => ({
            id: `var_shirt-${mark}_navy_${size.toLowerCase()}`,
            sku: `SHIRT-${mark}-${size}`,
            options: { Color: 'Navy', Size: size },
            price: { amount: 4900, currency: 'USD' },
            compareAtPrice: null,
            inventory: 3,
            available: true,
            imageId: null,
          })),
          categories: [],
          rating: { average: 0, count: 0 },
          fit: null,
          fabric: null,
          sizeChartId: null,
          social: null,
          published: true,
          createdAt: new Date().toISOString(),
        })
        pickEveryVariant(await shop.getProduct(`shirt-${mark}`))
      },
    ],
    [
      'the product is read, changed and sent back complete',
      async () => {
        const whole = await shop.adminGetProduct(textAt(product['id'], 'product.id'))
        const changed = await shop.adminSaveProduct({ ...whole, subtitle: 'Garment-dyed', fabric: { weight: 140 } })
        check(changed['subtitle'] === 'Garment-dyed', 'PATCH /admin/products/:id', 'the change', changed)
        const unchanged = await shop.adminSaveProduct(await shop.adminGetProduct(textAt(product['id'], 'product.id')))
        check(
          JSON.stringify(unchanged) === JSON.stringify(changed),
          'a product sent back',
          'the same product',
          Object.keys({ ...changed, ...unchanged })
            .filter((key) => JSON.stringify(unchanged[key]) !== JSON.stringify(changed[key]))
            .map((key) => [key, changed[key], unchanged[key]]),
        )
        const options = JSON.stringify(objectAt(listAt(unchanged['variants'], 'variants')[0], 'variant')['options'])
        check(options === '{"Color":"Navy","Size":"S"}', 'variant.options', 'the order of the options', options)
      },
    ],
    [
      'the product sent without one of its sizes is rejected',
      async () => {
        const whole = await shop.adminGetProduct(textAt(product['id'], 'product.id'))
        await fails(
          () => shop.adminSaveProduct({ ...whole, variants: listAt(whole['variants'], 'variants').slice(1) }),
          409,
          'variants_missing',
        )
      },
    ],
    [
      'stock is set and adjusted',
      async () => {
        const { id } = objectAt(listAt(product['variants'], 'variants')[0], 'a variant')
        await shop.adminSetInventory(textAt(id, 'variant.id'), 7)
        await shop.adminAdjustInventory(textAt(id, 'variant.id'), -2)
      },
    ],
    [
      'the list of products',
      async () => void itemsOf(await shop.adminListProducts({ q: mark, page: 1, per_page: 25 }), 'GET /admin/products'),
    ],
    ['the product is deleted', async () => void (await shop.adminDeleteProduct(textAt(product['id'], 'product.id')))],
    [
      'a category is read from the tree, changed and sent back complete',
      async () => {
        const [root] = await shop.listCategories()
        await shop.adminSaveCategory({ ...root, blurb: 'Changed' })
        await shop.adminSaveCategory({ slug: `c-${mark}`, name: 'New', parent: null, blurb: '' })
        await shop.adminDeleteCategory(`c-${mark}`)
      },
    ],
    [
      'a new size chart gets an id, and edited cells become numbers',
      async () => {
        const chart = {
          id: '',
          unit: 'cm',
          note: '',
          columns: ['Size', 'Chest', 'Length'],
          rows: [
            ['S', '51.5', '70'],
            ['M', '54', '72'],
          ],
        }
        const saved = await shop.adminSaveSizeChart(chart)
        textAt(saved['id'], 'chart.id')
        check(JSON.stringify(saved['rows']) === '[["S",51.5,70],["M",54,72]]', 'chart.rows', 'numbers', saved['rows'])
        check(
          (await shop.listSizeCharts()).some(({ id }) => id === saved['id']),
          'GET /size-charts',
          'the new chart',
          saved['id'],
        )
      },
    ],
    [
      'a discount is saved by its code, twice, and deleted',
      async () => {
        await shop.adminSaveDiscount({ code: `X${mark}`, label: '', kind: 'percent', value: 10, active: true })
        await shop.adminSaveDiscount({ code: `x${mark}`, label: 'Free', kind: 'shipping', value: 10, active: true })
        const saved = (await shop.adminListDiscounts()).find(({ code }) => code === `X${mark}`.toUpperCase())
        check(saved?.['kind'] === 'shipping', 'GET /admin/discounts', 'the changed code', saved)
        await shop.adminSaveDiscount({ ...saved, label: 'Free shipping' })
        await shop.adminDeleteDiscount(`X${mark}`)
      },
    ],
    [
      'the library',
      async () => {
        const { id } = await shop.saveLibraryItem('features', { icon: 'refresh', title: `Kept ${mark}`, body: '' })
        await shop.listLibrary()
        await shop.deleteLibraryItem('features', textAt(id, 'id'))
        await fails(() => shop.saveLibraryItem('colors', {}), 422, 'invalid_kind')
      },
    ],
    [
      'the whole configuration is accepted and read back equal',
      async () => {
        const saved = await shop.adminUpdateSettings(DOCUMENT)
        for (const key of Object.keys(DOCUMENT)) {
          check(
            isSubsetOf(DOCUMENT[key], saved[key]),
            `PATCH /admin/storefront ${key}`,
            JSON.stringify(DOCUMENT[key]),
            saved[key],
          )
        }
        const { notifications: _notForVisitors, ...visible } = DOCUMENT
        const shown = await shop.getStorefront()
        for (const key of Object.keys(visible))
          check(isSubsetOf(visible[key], shown[key]), `GET /storefront ${key}`, 'the same', shown[key])
        await shop.adminUpdateSettings(shown)
      },
    ],
    [
      'credentials and a test mail to the merchant',
      async () => {
        itemsOf({ ...(await shop.adminGetCredentials()), total: 0 }, 'GET /admin/credentials')
        const sent = await shop.adminSendTestNotification({ event: 'orderPlaced' })
        check(sent['delivered'] === true, 'POST /admin/notifications/test', 'delivered', sent)
        check(
          objectAt(sent['preview'], 'preview')['to'] === options.adminEmail,
          'preview.to',
          options.adminEmail,
          sent['preview'],
        )
      },
    ],
    [
      'an order is paid, sent, and refunded in part',
      async () => {
        shop.dropCart()
        await shop.addToCart(await buyable(shop), 1)
        const { id, total } = await shop.checkout({
          email: 'x@example.com',
          shippingAddress: ADDRESS,
          shippingMethod: 'standard',
        })
        const orderId = textAt(id, 'order.id')
        await until(async () => (await shop.getOrder(orderId))['status'] === 'paid')
        await shop.adminUpdateOrder(orderId, { status: 'fulfilled', tracking: { carrier: 'DHL', code: '1', url: '' } })
        const refunded = await shop.adminRefundOrder(orderId, { amount: 100, reason: 'Late', restock: false })
        moneyAt(refunded['refundedTotal'], 'refundedTotal')
        moneyAt(objectAt(listAt(refunded['refunds'], 'refunds')[0], 'refund')['amount'], 'refunds[].amount')
        check(moneyAt(total, 'total').amount > 100, 'total', 'more than the refund', total)
        await shop.adminListOrders({ q: orderId })
      },
    ],
    [
      'an export is imported, and the reply counts its products',
      async () => {
        const exported = await shop.adminExport()
        const result = await shop.adminImport({ ...exported, mode: 'merge' })
        check(typeof result['products'] === 'number', 'result.products', 'a number', result['products'])
      },
    ],
  ]
}

/** The checkout modes in which the storefront requests a page, a window or an order from the shop. */
function paying(shop: Adapter, options: StepOptions): Steps {
  const email = 'pay@example.com'
  const setCheckout = async (change: Json): Promise<Json> => {
    await shop.adminUpdateSettings({ checkout: change })
    return objectAt((await shop.getStorefrontAnew())['checkout'], 'checkout')
  }
  const start = async (settings: Json) => {
    shop.dropCart()
    await shop.addToCart(await buyable(shop), 1)
    return shop.startCheckout(settings, { email, shippingAddress: ADDRESS, shippingMethod: 'standard' })
  }
  return [
    [
      'redirect, with its own createUrl and without one',
      async () => {
        for (const createUrl of ['/carts/:cartId/checkout', '', null, '/checkout/sessions']) {
          textAt((await start(await setCheckout({ mode: 'redirect', provider: null, createUrl })))['url'], 'url')
        }
      },
    ],
    [
      'api',
      async () => void textAt((await start(await setCheckout({ mode: 'api', createUrl: '' })))['id'], 'order.id'),
    ],
    [
      'razorpay, with the key in the configuration',
      async () => {
        const settings = await setCheckout({ mode: 'razorpay', publicKey: options.razorpayKeyId })
        check(settings['publicKey'] === options.razorpayKeyId, 'checkout.publicKey', options.razorpayKeyId, settings)
        const { razorpay_order_id: id } = await start(settings)
        const order = await shop.verifyPayment(await options.payAtRazorpay(textAt(id, 'razorpay_order_id')))
        textAt(order['id'], 'order.id')
      },
    ],
    ['demo again', async () => void (await setCheckout({ mode: 'demo', publicKey: '', createUrl: null }))],
  ]
}

/**
 * The picker of the product page: it chooses the first value of the option Color, lets the shopper choose one of the
 * option Size, and takes the variant that has both.
 */
function pickEveryVariant(product: Json): void {
  const options = listAt(product['options'], 'options').filter(isObject)
  const variants = listAt(product['variants'], 'variants').filter(isObject)
  const valuesOf = (name: string) => listAt(options.find((option) => option['name'] === name)?.['values'] ?? [], name)
  const colors = valuesOf('Color')
  const reached = new Set<unknown>()
  for (const color of colors.length > 0 ? colors : [null]) {
    for (const size of valuesOf('Size')) {
      const picked = variants.find((variant) => {
        const chosen = objectAt(variant['options'], 'variant.options')
        return chosen['Color'] === color && chosen['Size'] === size
      })
      if (picked) reached.add(picked['id'])
    }
  }
  const missed = variants.filter(({ id }) => !reached.has(id))
  check(missed.length === 0, `the picker of ${String(product['slug'])}`, 'every variant', missed)
}

async function buyable(shop: Adapter): Promise<string> {
  for (const product of itemsOf(await shop.listProducts({ in_stock: true, per_page: 12 }), 'products')) {
    const variants = listAt(product['variants'], 'variants').filter(isObject)
    const plenty = variants.find((variant) => Number(variant['inventory']) > 3)
    if (plenty) return textAt(plenty['id'], 'variant.id')
  }
  throw new ContractFailure('GET /products?in_stock=true', 'a variant with stock', null)
}

/** Whether a value contains everything of another one; lists are compared item by item. */
function isSubsetOf(wanted: unknown, got: unknown): boolean {
  if (Array.isArray(wanted)) {
    return (
      Array.isArray(got) && got.length === wanted.length && wanted.every((each, index) => isSubsetOf(each, got[index]))
    )
  }
  if (!isObject(wanted)) return wanted === got
  return isObject(got) && Object.keys(wanted).every((key) => isSubsetOf(wanted[key], got[key]))
}

async function failureOf(call: () => Promise<unknown>): Promise<ApiFailure> {
  try {
    await call()
  } catch (error) {
    if (error instanceof ApiFailure) return error
    throw error
  }
  throw new ContractFailure('a call that has to fail', 'an error', 'success')
}

async function fails(call: () => Promise<unknown>, status: number, code: string): Promise<void> {
  const failure = await failureOf(call)
  check(failure.status === status && failure.code === code, 'an error', `${status} ${code}`, failure.message)
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    if (await isSo()) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new ContractFailure('a state that was waited for', 'within a minute', 'never')
}
