import { usePage } from '../../layout/page-context.ts'
import { ButtonLink } from '../../parts/button-link.tsx'
import { Picture } from '../../parts/picture.tsx'
import type { App, Storefront } from '../../server/storefront.ts'
import type { Order } from '../../shop/catalog.ts'
import { accountPage } from './account-page.tsx'

const PER_PAGE = 10
/** Pictures of an order in a list. */
const MAX_PICTURES = 4

export function ordersPage(app: App, storefront: Storefront): void {
  accountPage(app, storefront, {
    route: '/account/orders',
    title: 'orders',
    async content({ shop, query }) {
      const page = Math.min(10_000, Math.max(1, Math.trunc(Number(query.get('page'))) || 1))
      const { items, total } = await shop.get('/orders', { params: { query: { page, per_page: PER_PAGE } } })
      return (
        <>
          <OrderList orders={items} />
          <Pages page={page} last={Math.max(1, Math.ceil(total / PER_PAGE))} />
        </>
      )
    },
  })
}

export function OrderList({ orders }: { orders: readonly Order[] }) {
  const { t } = usePage().language
  if (orders.length === 0) {
    return (
      <>
        <p>{t('account.noOrders')}</p>
        <ButtonLink to="/shop">{t('common.toShop')}</ButtonLink>
      </>
    )
  }
  return (
    <ul class="orders">
      {orders.map((order) => (
        <OrderRow order={order} />
      ))}
    </ul>
  )
}

function OrderRow({ order }: { order: Order }) {
  const { t, date, money } = usePage().language
  const { id, number, status, placedAt, lines, total } = order
  return (
    <li class="order-row">
      <div>
        <p>
          <a class="order-link" href={`/order/${encodeURIComponent(id)}`}>
            {t('account.order', { number })}
          </a>
        </p>
        <p class="hint">
          <time dateTime={placedAt}>{date(placedAt)}</time> · {t(`account.status.${status}`)}
        </p>
      </div>
      <p class="order-amount">{money(total)}</p>
      <ul class="order-pictures">
        {lines.slice(0, MAX_PICTURES).map(({ image, title }) => (
          <li>
            <Picture picture={{ ...image, alt: title }} sizes="4rem" />
          </li>
        ))}
      </ul>
    </li>
  )
}

function Pages({ page, last }: { page: number; last: number }) {
  const { t, number } = usePage().language
  if (last === 1 && page === 1) return null
  return (
    <nav class="buttons" aria-label={t('account.pages')}>
      {page > 1 && (
        <a class="button button-outline" href={`/account/orders?page=${Math.min(page - 1, last)}`}>
          {t('account.newer')}
        </a>
      )}
      <span class="pages-at">{t('account.pageOf', { page: number(page), last: number(last) })}</span>
      {page < last && (
        <a class="button button-outline" href={`/account/orders?page=${page + 1}`}>
          {t('account.older')}
        </a>
      )}
    </nav>
  )
}
