/** What a merchant looks at in an old shop. */
interface AdminRequest {
  name: string
  /** Requested one after the other. */
  paths: readonly string[]
}

const ORDERS = '/admin/orders'
const orders = (name: string, ...queries: string[]): AdminRequest => ({
  name: `orders: ${name}`,
  paths: queries.map((query) => `${ORDERS}${query}`),
})

/** The lists and searches of a merchant, from those that match everything to those that match nothing. */
export const ADMIN_REQUESTS: readonly AdminRequest[] = [
  orders('all', ''),
  orders('page 2,000', '?page=2000'),
  orders('delivered', '?status=delivered'),
  orders('paid', '?status=paid'),
  orders('page 500 of canceled', '?status=cancelled&page=500'),
  orders('newest', '?sort=newest'),
  orders('oldest of Germany', '?sort=oldest&country=DE'),
  orders('highest total', '?sort=total-desc'),
  orders('needs attention', '?attention=1'),
  orders('country of 60 %', '?country=US'),
  orders('country of 1.4 %', '?country=DE', '?country=SE', '?country=KR'),
  orders('country without orders', '?country=FJ', '?country=MT'),
  orders('refunded', '?payment=refunded'),
  orders('refunded, of one country', '?payment=refunded&country=DE', '?payment=refunded&country=NO'),
  orders('to be sent, of one country', '?fulfilment=unfulfilled&country=GB'),
  orders('a month', `?from=${daysAgo(400)}&to=${daysAgo(370)}`, `?from=${daysAgo(900)}&to=${daysAgo(870)}`),
  orders('a month, of one country', `?from=${daysAgo(400)}&to=${daysAgo(370)}&country=US`),
  orders('a year, delivered', `?from=${daysAgo(1000)}&to=${daysAgo(635)}&status=delivered`),
  orders('search by number', '?q=SF-20042', '?q=28642'),
  orders('search by name', '?q=zoe%20zimren', '?q=ada%20berg'),
  orders('search by a first name', '?q=zoe', '?q=hugo'),
  orders('search by postcode', '?q=04217'),
  orders('search by a word of all orders', '?q=bench'),
  orders('search by a word of all orders, paid', '?q=bench&status=paid'),
  orders('search by a word of all orders, of 60 %', '?q=bench&country=US'),
  orders('search by a word of all orders, of 1.4 %', '?q=bench&country=DE'),
  orders('search by a word of no order', '?q=xylophone'),
  { name: 'buyers: all', paths: ['/admin/buyers'] },
  { name: 'buyers: search', paths: ['/admin/buyers?q=zimren', '/admin/buyers?q=ada.ber'] },
  { name: 'customers: all', paths: ['/admin/customers'] },
  { name: 'customers: search', paths: ['/admin/customers?q=zimren', '/admin/customers?q=ada.ber'] },
  { name: 'products: all', paths: ['/admin/products'] },
  { name: 'activity', paths: ['/admin/activity'] },
  { name: 'summary of a year', paths: [`/admin/summary?from=${daysAgo(365)}&to=${daysAgo(1)}`] },
]

function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
}
