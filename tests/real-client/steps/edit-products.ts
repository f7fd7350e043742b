import type { Adapter } from '../adapter.ts'
import { check, itemsOf, listAt, objectAt, textAt, type Json } from '../replies.ts'
import { fails, pickEveryVariant, type StepOptions, type Steps } from './step.ts'

/** The steps of a merchant who signs in, and adds, changes and deletes a product. */
export function editProducts(shop: Adapter, { adminEmail, adminPassword, picture }: StepOptions): Steps {
  const mark = Math.random().toString(36).slice(2)
  let images: readonly Json[] = []
  let product: Json = {}
  const productId = () => textAt(product['id'], 'product.id')
  return [
    ['the admin routes require a sign-in', () => fails(() => shop.adminListProducts(), 401, 'unauthenticated')],
    [
      'a merchant signs in by user name',
      async () => void (await shop.adminLogin({ username: adminEmail, password: adminPassword })),
    ],
    [
      'a picture is uploaded, and the reply describes it',
      async () => {
        images = [await uploadPicture(shop, picture)]
      },
    ],
    [
      'a new product, as the editor sends it',
      async () => {
        product = await shop.adminSaveProduct(newProduct(mark, images))
        pickEveryVariant(await shop.getProduct(`shirt-${mark}`))
      },
    ],
    ['the product is read, changed and sent back complete', () => sendBackComplete(shop, productId())],
    ['the product sent without one of its sizes is rejected', () => sendBackIncomplete(shop, productId())],
    ['stock is set and adjusted', () => setStock(shop, product)],
    [
      'the list of products',
      async () => void itemsOf(await shop.adminListProducts({ q: mark, page: 1, per_page: 25 }), 'GET /admin/products'),
    ],
    ['the product is deleted', async () => void (await shop.adminDeleteProduct(productId()))],
  ]
}

/** @returns the picture as the editor adds it to a product */
async function uploadPicture(shop: Adapter, picture: Blob): Promise<Json> {
  const file = await shop.uploadMedia(picture, 'shirt.png')
  for (const key of ['id', 'url']) textAt(file[key], `media.${key}`)
  check(file['type'] === 'image', 'media.type', 'image', file['type'])
  for (const key of ['width', 'height']) check(Number.isInteger(file[key]), `media.${key}`, 'a number', file[key])
  check('duration' in file, 'media.duration', 'a value or null', file)
  await shop.listMedia()
  return { id: file['id'], url: file['url'], type: file['type'], alt: 'A shirt', width: file['width'], height: null }
}

const newProduct = (mark: string, images: readonly Json[]) => ({
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
  images,
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

async function sendBackComplete(shop: Adapter, id: string): Promise<void> {
  const whole = await shop.adminGetProduct(id)
  const changed = await shop.adminSaveProduct({ ...whole, subtitle: 'Garment-dyed', fabric: { weight: 140 } })
  check(changed['subtitle'] === 'Garment-dyed', 'PATCH /admin/products/:id', 'the change', changed)
  const unchanged = await shop.adminSaveProduct(await shop.adminGetProduct(id))
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
}

async function sendBackIncomplete(shop: Adapter, id: string): Promise<void> {
  const whole = await shop.adminGetProduct(id)
  await fails(
    () => shop.adminSaveProduct({ ...whole, variants: listAt(whole['variants'], 'variants').slice(1) }),
    409,
    'variants_missing',
  )
}

async function setStock(shop: Adapter, product: Json): Promise<void> {
  const { id } = objectAt(listAt(product['variants'], 'variants')[0], 'a variant')
  await shop.adminSetInventory(textAt(id, 'variant.id'), 7)
  await shop.adminAdjustInventory(textAt(id, 'variant.id'), -2)
}
