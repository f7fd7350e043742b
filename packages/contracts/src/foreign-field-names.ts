/**
 * Names that other shop systems, ERPs and people use for our fields, in lower case without separators: to be suggested
 * where spelling alone would suggest another field. The first one that the object has is chosen.
 */
const FOREIGN_FIELD_NAMES: Readonly<Record<string, readonly string[]>> = {
  action: ['status'],
  amountoff: ['value'],
  articlenumber: ['sku'],
  barcode: ['sku'],
  bodyhtml: ['description'],
  category: ['categories'],
  cost: ['price'],
  customeremail: ['customer', 'email', 'q'],
  email: ['customer', 'to', 'q'],
  enabled: ['active'],
  expiresat: ['endsAt'],
  expireson: ['endsAt'],
  fulfillment: ['fulfilment', 'status'],
  fulfillmentstatus: ['fulfilment', 'status'],
  handle: ['slug'],
  headline: ['title'],
  href: ['to', 'url'],
  image: ['imageUrl', 'images'],
  limit: ['per_page'],
  login: ['email'],
  maxuses: ['usageLimit'],
  minimum: ['minSubtotal'],
  name: ['title', 'q'],
  number: ['code'],
  offset: ['page'],
  onhand: ['inventory', 'quantity'],
  orderby: ['sort'],
  pagesize: ['per_page'],
  percentage: ['value'],
  photos: ['images'],
  pictures: ['images'],
  product: ['products'],
  qty: ['quantity', 'inventory'],
  quantity: ['inventory', 'delta'],
  query: ['q'],
  saleprice: ['price'],
  search: ['q'],
  size: ['per_page'],
  sortby: ['sort'],
  state: ['status'],
  stock: ['inventory', 'quantity'],
  trackingcode: ['code'],
  trackinglink: ['url'],
  trackingnumber: ['code'],
  trackingurl: ['url'],
  type: ['kind', 'event'],
  username: ['email'],
  validfrom: ['startsAt'],
  validuntil: ['endsAt'],
  visible: ['published'],
}

/**
 * @param letters of a name, in lower case without separators
 * @returns our names that may be meant, the likeliest first
 */
export function fieldNamesFor(letters: string): readonly string[] {
  return Object.hasOwn(FOREIGN_FIELD_NAMES, letters) ? (FOREIGN_FIELD_NAMES[letters] ?? []) : []
}
