/** The columns of a product export, as Shopify names them for a shop with markets and metafields. */
const COLUMNS = [
  'Handle',
  'Title',
  'Body (HTML)',
  'Vendor',
  'Product Category',
  'Type',
  'Tags',
  'Published',
  'Option1 Name',
  'Option1 Value',
  'Option1 Linked To',
  'Option2 Name',
  'Option2 Value',
  'Option2 Linked To',
  'Option3 Name',
  'Option3 Value',
  'Option3 Linked To',
  'Variant SKU',
  'Variant Grams',
  'Variant Inventory Tracker',
  'Variant Inventory Qty',
  'Variant Inventory Policy',
  'Variant Fulfillment Service',
  'Variant Price',
  'Variant Compare At Price',
  'Variant Requires Shipping',
  'Variant Taxable',
  'Unit Price Total Measure',
  'Unit Price Total Measure Unit',
  'Unit Price Base Measure',
  'Unit Price Base Measure Unit',
  'Variant Barcode',
  'Image Src',
  'Image Position',
  'Image Alt Text',
  'Gift Card',
  'SEO Title',
  'SEO Description',
  'Google Shopping / Google Product Category',
  'Google Shopping / Gender',
  'Google Shopping / Age Group',
  'Google Shopping / MPN',
  'Google Shopping / Condition',
  'Google Shopping / Custom Product',
  'Care instructions (product.metafields.shopify.care-instructions)',
  'Color (product.metafields.shopify.color-pattern)',
  'Fabric (product.metafields.shopify.fabric)',
  'Neckline (product.metafields.shopify.neckline)',
  'Complementary products (product.metafields.shopify--discovery--product_recommendation.complementary_products)',
  'Variant Image',
  'Variant Weight Unit',
  'Variant Tax Code',
  'Cost per item',
  'Included / United States',
  'Price / United States',
  'Compare At Price / United States',
  'Included / International',
  'Price / International',
  'Compare At Price / International',
  'Status',
] as const
export type ShopifyColumn = (typeof COLUMNS)[number]
export type ShopifyRow = Partial<Record<ShopifyColumn, string>>

const SIZES = ['XS', 'S', 'M', 'L', 'XL']
const COLORS = ['Natural', 'Navy', 'Rust & Sand']
const NOUNS = ['Shirt', 'Dress', 'Trousers', 'Cardigan', 'Skirt', 'Scarf', 'Robe', 'Tee']
const FABRICS = ['Linen', 'Organic Cotton', 'Merino', 'Hemp', 'Silk "Noil"']

/** A description with markup from Shopify's editor and from pasted text. */
function bodyOf(title: string, number: number): string {
  const intro = `<p>${title} &mdash; soft, washed &amp; made to last.&nbsp;Caf&eacute; au lait, &frac12; lined.</p>`
  const list = '<ul>\n<li><span data-mce-fragment="1">Mother-of-pearl buttons</span></li>\n<li>30&deg; wash</li>\n</ul>'
  const table =
    '<table width="100%"><tbody>\n<tr><td><strong>Size</strong></td><td>Chest, "flat"</td></tr>\n' +
    '<tr><td>S</td><td>52&nbsp;cm</td></tr>\n<tr><td>M</td><td>54&nbsp;cm</td></tr></tbody></table>'
  return number % 3 === 0 ? `<meta charset="utf-8">${intro}\n${list}\n${table}` : `${intro}\n${list}`
}

/**
 * A product export as Shopify writes it: the first row of a handle has what the product is, further ones have a variant
 * or a picture, and cells hold commas, quotation marks and line breaks.
 * @param origin of the server that has the pictures
 * @param pictured how many products have their own pictures, which the others show too
 */
export function shopifyExport(products: number, origin: string, pictured: number = products): ShopifyRow[] {
  return Array.from({ length: products }, (_, number) =>
    productRows(number, picturesOf(number % pictured, origin)),
  ).flat()
}

function productRows(number: number, pictures: readonly ShopifyRow[]): ShopifyRow[] {
  const title = `${FABRICS[number % FABRICS.length]} ${NOUNS[number % NOUNS.length]} No. ${number}`
  const handle = title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  const variants = number % 7 === 6 ? [singleVariant(number)] : sizedVariants(number)
  const rows = Array.from({ length: Math.max(variants.length, pictures.length) }, (_, index): ShopifyRow => ({
    Handle: handle,
    ...(index === 0 && { Title: title, ...factsOf(title, number) }),
    ...variants[index],
    ...pictures[index],
  }))
  const [first, second] = rows
  if (first && second && number % 5 === 0) second['Variant Image'] = first['Image Src'] ?? ''
  return rows
}

function factsOf(title: string, number: number): ShopifyRow {
  return {
    'Body (HTML)': bodyOf(title, number),
    Vendor: 'Loom & Co',
    'Product Category': 'Apparel & Accessories > Clothing > Clothing Tops > Shirts',
    Type: NOUNS[number % NOUNS.length] ?? '',
    Tags: 'eco, made-in-portugal, "new season"',
    Published: number % 11 === 10 ? 'false' : 'true',
    'Gift Card': 'false',
    'SEO Title': number % 4 === 0 ? `${title} | Loom` : '',
    'Google Shopping / Gender': 'unisex',
    'Google Shopping / Condition': 'new',
    'Care instructions (product.metafields.shopify.care-instructions)': 'machine-washable; line-dry',
    'Color (product.metafields.shopify.color-pattern)': 'natural; navy',
    'Fabric (product.metafields.shopify.fabric)': 'linen; cotton',
    'Included / United States': 'true',
    'Included / International': 'true',
    Status: number % 13 === 12 ? 'draft' : number % 17 === 16 ? 'archived' : 'active',
  }
}

const shipped: ShopifyRow = {
  'Variant Grams': '320.0',
  'Variant Inventory Tracker': 'shopify',
  'Variant Inventory Policy': 'deny',
  'Variant Fulfillment Service': 'manual',
  'Variant Requires Shipping': 'true',
  'Variant Taxable': 'true',
  'Variant Weight Unit': 'g',
  'Cost per item': '12.40',
}

function singleVariant(number: number): ShopifyRow {
  return {
    ...shipped,
    'Option1 Name': 'Title',
    'Option1 Value': 'Default Title',
    'Variant SKU': `ONE-${number}`,
    'Variant Inventory Qty': String(number % 9),
    'Variant Price': `${20 + number}.00`,
    'Variant Compare At Price': number % 2 === 0 ? '' : `${20 + number}.00`,
  }
}

/**
 * All variants of every fourth product are on sale, and some of every sixth: those in the first color, or large ones.
 */
function sizedVariants(number: number): ShopifyRow[] {
  const colors = COLORS.slice(0, 1 + (number % COLORS.length))
  return colors.flatMap((color, colorIndex) =>
    SIZES.slice(0, 2 + (number % 4)).map((size, sizeIndex): ShopifyRow => {
      const price = 40 + (number % 30) + (sizeIndex > 2 ? 5 : 0)
      const isOnSale = number % 4 === 0 || (number % 6 === 1 && (colorIndex === 0 || sizeIndex > 2))
      return {
        ...shipped,
        ...(colorIndex + sizeIndex === 0 && {
          'Option1 Name': 'Color',
          'Option1 Linked To': 'product.metafields.shopify.color-pattern',
          'Option2 Name': 'Size',
        }),
        'Option1 Value': color,
        'Option2 Value': size,
        // Spreadsheets keep the zeros of a number after an apostrophe.
        'Variant SKU': `${number % 10 === 3 ? "'0" : 'L'}${number}-${colorIndex}-${size}`,
        'Variant Inventory Qty': String(((number * 7 + sizeIndex) % 15) - 1),
        'Variant Price': price.toFixed(2),
        'Variant Compare At Price': isOnSale ? (price * 1.25).toFixed(2) : number % 8 === 3 ? '0.00' : '',
        'Variant Barcode': `40063813${String(number).padStart(3, '0')}${sizeIndex}`,
      }
    }),
  )
}

function picturesOf(number: number, origin: string): ShopifyRow[] {
  return Array.from({ length: number % 4 === 1 ? 2 : 1 }, (_, index) => ({
    'Image Src': `${origin}/s/files/1/0123/4567/files/product-${number}_${index}.jpg?v=17012345${index}`,
    'Image Position': String(index + 1),
    'Image Alt Text': index === 0 ? `Front, "worn" ${number}` : '',
  }))
}

/** The file, with quotation marks where a cell needs them. */
export function written(rows: readonly ShopifyRow[]): string {
  const line = (cells: readonly string[]) => cells.map(cellOf).join(',')
  return `${[line(COLUMNS), ...rows.map((row) => line(COLUMNS.map((column) => row[column] ?? '')))].join('\n')}\n`
}

function cellOf(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
