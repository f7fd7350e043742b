import { optionsOrExit } from '@storefront/tools/read-options'
import { benchAccounts } from './bench-accounts.ts'
import { benchAged } from './bench-aged.ts'
import { benchAgainst } from './bench-against.ts'
import { benchCatalog } from './bench-catalog.ts'
import { benchConsole } from './bench-console.ts'
import { benchEvents } from './bench-events.ts'
import { benchFlashSale } from './bench-flash-sale.ts'
import { benchServers } from './bench-servers.ts'
import { benchShop } from './bench-shop.ts'
import { benchSoak } from './bench-soak.ts'
import { benchSitemap } from './bench-sitemap.ts'
import { benchStorefront } from './bench-storefront.ts'

const help = `npm run bench -- [--seconds 8] [--rounds 3] [--only "checkout"]
npm run bench -- --against REF [--seconds 8] [--rounds 6] [--only "checkout"]
npm run bench -- --storefront [--seconds 8] [--rounds 3]
npm run bench -- --storefront --products 100000
npm run bench -- --accounts [--seconds 8] [--rounds 3]
npm run bench -- --flash-sale [--rounds 3]
npm run bench -- --events [--rate 1000] [--seconds 20] [--rounds 3] [--backlog 50000]
npm run bench -- --soak [--minutes 20] [--share 0.6] [--no-faults]
npm run bench -- --console [--products 100000] [--orders 200000] [--rounds 3]
npm run bench -- --aged [--orders 1000000] [--customers 300000] [--products 100000] [--seconds 8] [--rounds 6]
npm run bench -- --servers 4 [--orders 200000] [--customers 60000] [--seconds 8]
npm run bench -- --products 100000 [--explain] [--seconds 8] [--rounds 3] [--only "search"]

Starts a shop of its own with the demo catalog, loads it from this machine and prints a table: the median of the
rounds. Everything shares the machine's cores, the load generator included.

--against REF compares this version with another one of this repository: a commit, a branch or a tag. Both shops run, and are
              measured alternately. Says "no difference" unless all pairs of rounds agree; that takes at least 5.
--storefront  measures pages of the reference storefront: cached ones, also while the shop sells, and rendered ones.
              With --products N, its sitemap in a shop with N products.
--accounts    measures what tokens and sign-ins cost shoppers who browse.
--flash-sale  200 buyers check out at the same moment, with 20 units in stock: who gets one, and how long it takes.
--events      commits 1,000 events a second and measures when their webhooks arrive; then processes a backlog.
              The exit code is 1 when an event was lost or arrived twice.
--soak        sells at a share of the peak with a fault every minute, and counts everything afterwards. The exit code is
              1 when an order or a unit is missing or duplicated. --no-faults measures how long checkouts take at that
              rate without faults.
--console     opens every screen of the console in a browser, in a shop with --products and --orders.
--aged        fills a shop with the orders and customers of five years, and measures it and a new one alternately; then the
              lists and searches of a merchant in the old one. --rounds 0 only measures these.
--servers N   divides the orders and carts of one shop over N PostgreSQL servers, and measures them beside one server; then
              what foreign partitions of postgres_fdw can do.
--products N  loads a generated catalog of N products instead and measures how it is read; --rounds 0 only loads it.
--explain     then prints the plans of the statements behind a list, a deep page, a search and the facets.
`

const values = optionsOrExit({
  command: 'npm run bench',
  help,
  options: {
    seconds: { type: 'string' },
    rounds: { type: 'string' },
    against: { type: 'string' },
    only: { type: 'string', default: '' },
    products: { type: 'string' },
    console: { type: 'boolean', default: false },
    storefront: { type: 'boolean', default: false },
    aged: { type: 'boolean', default: false },
    orders: { type: 'string' },
    customers: { type: 'string' },
    servers: { type: 'string' },
    accounts: { type: 'boolean', default: false },
    'flash-sale': { type: 'boolean', default: false },
    events: { type: 'boolean', default: false },
    soak: { type: 'boolean', default: false },
    minutes: { type: 'string', default: '20' },
    share: { type: 'string', default: '0.6' },
    'no-faults': { type: 'boolean', default: false },
    rate: { type: 'string', default: '1000' },
    backlog: { type: 'string', default: '50000' },
    explain: { type: 'boolean', default: false },
    help: { type: 'boolean' },
  },
})
const options = {
  seconds: Number(values.seconds ?? (values.events ? 20 : 8)),
  rounds: Number(values.rounds ?? (values.against === undefined && !values.aged ? 3 : 6)),
  only: values.only,
}
if (values.against !== undefined) await benchAgainst(values.against, options)
else if (values.storefront && values.products !== undefined) await benchSitemap(Number(values.products))
else if (values.storefront) await benchStorefront(options)
else if (values.accounts) await benchAccounts(options)
else if (values.events) await benchEvents({ ...options, rate: Number(values.rate), backlog: Number(values.backlog) })
else if (values.soak)
  await benchSoak({
    minutes: Number(values.minutes),
    share: Number(values.share),
    hasFaults: !values['no-faults'],
  })
else if (values['flash-sale']) await benchFlashSale(options)
else if (values.aged)
  await benchAged({
    ...options,
    orders: Number(values.orders ?? 1_000_000),
    customers: Number(values.customers ?? 300_000),
    products: Number(values.products ?? 100_000),
  })
else if (values.servers !== undefined)
  await benchServers({
    servers: Number(values.servers),
    orders: Number(values.orders ?? 200_000),
    customers: Number(values.customers ?? 60_000),
    seconds: options.seconds,
  })
else if (values.console)
  await benchConsole({
    products: Number(values.products ?? 100_000),
    orders: Number(values.orders ?? 200_000),
    rounds: options.rounds,
  })
else if (values.products === undefined) {
  if (values.explain) throw new Error('--explain goes with --products')
  await benchShop(options)
} else {
  const products = Number(values.products)
  if (!Number.isInteger(products) || products < 1) throw new Error('--products takes a number of products')
  await benchCatalog({ ...options, products, explain: values.explain })
}
