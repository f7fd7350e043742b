import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { loadTexts } from '../messages/messages.ts'
import { BASE_PATH } from '../page-settings.ts'
import { queryClient } from '../query-client.ts'
import { mayNow, type Permission } from '../session.ts'
import { parseSearch, readFilters, stringifySearch, type Filters } from '../parts/filters.ts'
import { NotFound, ScreenFailed, ScreenWaiting } from './fallbacks.tsx'
import { permissionAt } from './screens.ts'
import { Shell } from './shell.tsx'

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound, validateSearch: readFilters })

type Load = Parameters<typeof lazyRouteComponent>[0]

interface More {
  /** The permission without which the screen is useless, if it differs from that of its link in the menu. */
  permission?: Permission
  /** Files of texts, beside the one for the address. */
  texts?: readonly string[]
  /** Loads a function that reads the first data of the screen while its code is being loaded or rendered. */
  readAhead?: () => Promise<Read>
}

type Read = (filters: Filters) => Promise<void>

const route = <Path extends string>(path: Path, load: Load, name: string, more: More = {}) => {
  const { permission = permissionAt(path), texts = [], readAhead } = more
  let read: Read | undefined
  const loadRead = async (): Promise<Read | undefined> => (read ??= await readAhead?.())
  return createRoute({
    getParentRoute: () => root,
    path,
    staticData: { permission },
    loaderDeps: ({ search }) => search,
    loader({ deps }) {
      if (permission !== undefined && !mayNow(permission)) return
      // Not awaited: the screen shows errors. Called at once if loaded: an import would resolve after the rendering.
      if (read) void read(deps)
      else void loadRead().then((loaded) => loaded?.(deps))
    },
    component: lazyRouteComponent(async () => {
      const [screen] = await Promise.all([load(), loadRead(), ...[textsAt(path), ...texts].map(loadTexts)])
      return screen
    }, name),
  })
}

/** @returns the file of texts for an address: `sizeCharts` for `/size-charts/new` */
function textsAt(path: string): string {
  const first = path.split('/')[1] ?? ''
  return first === '' ? 'home' : first.replaceAll(/-(.)/g, (_all, letter: string) => letter.toUpperCase())
}

/** Every screen with its address; each is loaded when it is opened, and its texts at the same time. */
const screens = [
  route('/', () => import('../screens/home/home-screen.tsx'), 'HomeScreen'),
  route('/products', () => import('../screens/products/products-screen.tsx'), 'ProductsScreen', {
    async readAhead() {
      const { productsQuery } = await import('../screens/products/products-queries.ts')
      return (filters) => queryClient.prefetchQuery(productsQuery(filters))
    },
  }),
  route('/products/new', () => import('../screens/products/new-product-screen.tsx'), 'NewProductScreen', {
    permission: 'catalog:write',
  }),
  route('/products/bulk', () => import('../screens/products/bulk/bulk-edits-screen.tsx'), 'BulkEditsScreen'),
  route('/products/bulk/$id', () => import('../screens/products/bulk/bulk-edit-screen.tsx'), 'BulkEditScreen'),
  route('/products/$id', () => import('../screens/products/product-screen.tsx'), 'ProductScreen'),
  route('/categories', () => import('../screens/categories/categories-screen.tsx'), 'CategoriesScreen'),
  route('/collections', () => import('../screens/collections/collections-screen.tsx'), 'CollectionsScreen'),
  route('/collections/new', () => import('../screens/collections/collection-screen.tsx'), 'NewCollectionScreen', {
    permission: 'catalog:write',
  }),
  // The slug follows the question mark: a collection may be called “new”.
  route('/collections/edit', () => import('../screens/collections/collection-screen.tsx'), 'CollectionScreen'),
  route('/media', () => import('../screens/media/media-screen.tsx'), 'MediaScreen'),
  route('/size-charts', () => import('../screens/size-charts/size-charts-screen.tsx'), 'SizeChartsScreen'),
  route('/size-charts/new', () => import('../screens/size-charts/size-chart-screen.tsx'), 'NewSizeChartScreen', {
    permission: 'catalog:write',
  }),
  route('/size-charts/edit', () => import('../screens/size-charts/size-chart-screen.tsx'), 'SizeChartScreen'),
  route('/library', () => import('../screens/library/library-screen.tsx'), 'LibraryScreen'),
  route('/orders', () => import('../screens/orders/orders-screen.tsx'), 'OrdersScreen', {
    async readAhead() {
      const { ordersQuery } = await import('../screens/orders/orders-queries.ts')
      return (filters) => queryClient.prefetchQuery(ordersQuery(filters))
    },
  }),
  route('/orders/drafts', () => import('../screens/orders/drafts/draft-orders-screen.tsx'), 'DraftOrdersScreen', {
    texts: ['draftOrders'],
  }),
  route('/orders/drafts/new', () => import('../screens/orders/drafts/draft-screen.tsx'), 'NewDraftScreen', {
    permission: 'orders:write',
    texts: ['draftOrders'],
  }),
  route('/orders/drafts/$id', () => import('../screens/orders/drafts/draft-screen.tsx'), 'DraftScreen', {
    texts: ['draftOrders'],
  }),
  route('/orders/$id', () => import('../screens/orders/order-screen.tsx'), 'OrderScreen'),
  route('/settings', () => import('../screens/settings/account/account-screen.tsx'), 'AccountScreen'),
  route('/settings/staff', () => import('../screens/settings/staff/staff-screen.tsx'), 'StaffScreen'),
  route('/settings/keys', () => import('../screens/settings/keys/keys-screen.tsx'), 'KeysScreen'),
  route(
    '/settings/credentials',
    () => import('../screens/settings/credentials/credentials-screen.tsx'),
    'CredentialsScreen',
  ),
  route('/settings/webhooks', () => import('../screens/settings/webhooks/webhooks-screen.tsx'), 'WebhooksScreen'),
  route(
    '/settings/webhooks/deliveries',
    () => import('../screens/settings/webhooks/deliveries-screen.tsx'),
    'DeliveriesScreen',
  ),
  route('/settings/mails', () => import('../screens/settings/mails/mails-screen.tsx'), 'MailsScreen'),
  route(
    '/settings/mails/templates',
    () => import('../screens/settings/mails/templates-screen.tsx'),
    'TemplatesScreen',
    { permission: 'settings:write' },
  ),
  route('/settings/health', () => import('../screens/settings/health/health-screen.tsx'), 'HealthScreen'),
  route('/stock', () => import('../screens/stock/stock-screen.tsx'), 'StockScreen'),
  route('/stock/stocktake', () => import('../screens/stock/stocktake/stocktake-screen.tsx'), 'StocktakeScreen', {
    permission: 'inventory:write',
  }),
  route('/discounts', () => import('../screens/discounts/discounts-screen.tsx'), 'DiscountsScreen'),
  route('/discounts/new', () => import('../screens/discounts/discount-screen.tsx'), 'NewDiscountScreen'),
  // The code follows the question mark, because the gateway passes no encoded path on.
  route('/discounts/code', () => import('../screens/discounts/discount-screen.tsx'), 'DiscountScreen'),
  route('/customers', () => import('../screens/customers/customers-screen.tsx'), 'CustomersScreen'),
  route('/customers/buyers/$id', () => import('../screens/customers/buyer-screen.tsx'), 'BuyerScreen'),
  route('/customers/$id', () => import('../screens/customers/customer-screen.tsx'), 'CustomerScreen'),
  route('/reviews', () => import('../screens/reviews/reviews-screen.tsx'), 'ReviewsScreen'),
  route('/storefront', () => import('../screens/storefront/storefront-screen.tsx'), 'StorefrontScreen'),
  route('/storefront/versions', () => import('../screens/storefront/versions-screen.tsx'), 'VersionsScreen'),
  route('/import', () => import('../screens/import/import-screen.tsx'), 'ImportScreen'),
  route('/import/$id', () => import('../screens/import/import-job-screen.tsx'), 'ImportJobScreen'),
  route('/activity', () => import('../screens/activity/activity-screen.tsx'), 'ActivityScreen', {
    texts: ['activitySentences', 'orders'],
  }),
]

export const router = createRouter({
  routeTree: root.addChildren(screens),
  basepath: `${BASE_PATH}/console`,
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  defaultErrorComponent: ScreenFailed,
  defaultPendingComponent: ScreenWaiting,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
  interface StaticDataRouteOption {
    permission?: Permission | undefined
  }
}
