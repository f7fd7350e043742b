import type { Adapter } from '../adapter.ts'
import { check, itemsOf, listAt, objectAt, productAt, textAt, type Json } from '../replies.ts'
import { fails, pickEveryVariant, type Steps } from './step.ts'

export function browse(shop: Adapter): Steps {
  let home: Json = {}
  return [
    [
      'the first page: one reply has all its parts',
      async () => {
        home = await shop.getBootstrap()
        checkParts(home)
      },
    ],
    ['the first page: every section can be rendered', async () => checkSections(home)],
    [
      'the header and the footer: menus, currencies, shipping and countries',
      async () => {
        const storefront = await shop.getStorefront()
        checkMenus(storefront)
        checkCommerce(storefront)
      },
    ],
    ['promises and icons: each can be rendered', () => readPromises(shop)],
    [
      'categories as a tree and flat',
      async () => void (await Promise.all([shop.listCategories(), shop.listCategories({ tree: 0 })])),
    ],
    ['collections', async () => void (await shop.listCollections())],
    ['a list with every filter and order', () => filterProducts(shop)],
    ['saved products of a guest, by their slugs', () => findBySlugs(shop)],
    ['every product: the picker of its page reaches every variant', () => pickInEveryProduct(shop)],
    ['a product page', () => openProductPage(shop)],
    [
      'a product that does not exist is not found',
      () => fails(() => shop.getProduct('nothing-of-the-kind'), 404, 'not_found'),
    ],
    [
      'a delivery that is not offered is not found',
      () => fails(() => shop.getDeliveryEstimate({ method: 'drone', country: 'US' }), 404, 'not_found'),
    ],
  ]
}

function checkParts(home: Json): void {
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
}

function checkSections(home: Json): void {
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
}

function checkMenus({ navigation }: Json): void {
  const { primary, footer } = objectAt(navigation, 'navigation')
  for (const item of listAt(primary, 'navigation.primary')) {
    const { to, categorySlug } = objectAt(item, 'a menu entry')
    textAt(to ?? categorySlug, 'to or categorySlug')
  }
  for (const column of listAt(footer, 'navigation.footer')) {
    for (const link of listAt(objectAt(column, 'column')['links'], 'column.links'))
      textAt(objectAt(link, 'link')['to'], 'link.to')
  }
}

function checkCommerce({ commerce, pricing, checkout }: Json): void {
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
}

async function readPromises(shop: Adapter): Promise<void> {
  const icons = new Set(listAt((await shop.listAttributes())['icons'], 'icons'))
  for (const promise of listAt((await shop.getStorefront())['promises'], 'promises')) {
    const { icon, title } = objectAt(promise, 'a promise')
    check(icons.has(icon), 'promise.icon', 'one of the icons', icon)
    textAt(title, 'promise.title')
  }
}

async function filterProducts(shop: Adapter): Promise<void> {
  for (const sort of ['featured', 'newest', 'price-asc', 'price-desc', 'rating', 'name'])
    await shop.listProducts({ sort, per_page: 48 })
  await shop.listProducts({ sizes: ['S', 'M'], colors: ['Navy', 'Black'], tags: ['gift'], in_stock: true })
  await shop.listProducts({ min_price: 1000, max_price: 9000, q: 'linen', page: 2, per_page: 3 })
  const { facets } = await shop.listProducts({ category: 'women' })
  const { sizes, colors, priceRange } = objectAt(facets, 'facets')
  listAt(sizes, 'facets.sizes')
  listAt(colors, 'facets.colors')
  objectAt(priceRange, 'facets.priceRange')
}

async function findBySlugs(shop: Adapter): Promise<void> {
  const [first, second, third] = itemsOf(await shop.listProducts({ per_page: 3 }), 'products')
  const slugs = [third, first, second].map((product) => textAt(product?.['slug'], 'slug'))
  const found = await shop.listProducts({ slugs, per_page: 48 })
  const got = itemsOf(found, 'slugs=').map((product) => product['slug'])
  check(JSON.stringify(got) === JSON.stringify(slugs), 'GET /products?slugs=', slugs.join(), got)
}

async function pickInEveryProduct(shop: Adapter): Promise<void> {
  for (let page = 1; ; page++) {
    const { items, total } = await shop.listProducts({ page, per_page: 48 })
    for (const each of listAt(items, 'items')) pickEveryVariant(productAt(each, 'a product'))
    if (page * 48 >= Number(total)) break
  }
}

async function openProductPage(shop: Adapter): Promise<void> {
  const [product] = itemsOf(await shop.listProducts({ in_stock: true, sort: 'rating', per_page: 1 }), 'products')
  const slug = textAt(product?.['slug'], 'slug')
  await shop.getProduct(slug)
  await shop.getRelated(slug)
  await shop.getReviews(slug)
  await shop.getDeliveryEstimate({ method: 'standard', country: 'US' })
}
