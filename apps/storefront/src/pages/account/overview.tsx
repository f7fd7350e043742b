import { usePage } from '../../layout/page-context.ts'
import type { App, Storefront } from '../../server/storefront.ts'
import type { Customer, Order } from '../../shop/catalog.ts'
import { accountForm, accountPage, type AccountPage } from './account-page.tsx'
import { AddressText } from './addresses.tsx'
import { OrderList } from './orders.tsx'
import { sentOnce } from '../../parts/sent-once.ts'

const LATEST = 3

const OVERVIEW: AccountPage = {
  route: '/account',
  title: 'overview',
  async content({ shop, customer }) {
    const { items } = await shop.get('/orders', { params: { query: { per_page: LATEST } } })
    return <Overview customer={customer} orders={items} />
  },
}

export function overviewPage(app: App, storefront: Storefront): void {
  accountPage(app, storefront, OVERVIEW)
  accountForm(app, storefront, {
    route: '/account/verification',
    name: 'verification',
    page: OVERVIEW,
    async act({ shop }) {
      await shop.post('/auth/email/verify', { body: {} })
      return 'verificationSent'
    },
  })
}

function Overview({ customer, orders }: { customer: Customer; orders: readonly Order[] }) {
  const { t } = usePage().language
  const { firstName, email, emailVerified, addresses } = customer
  const address = addresses.find(({ isDefault }) => isDefault)
  return (
    <>
      <p>
        {firstName === '' ? t('account.signedInAs', { email }) : t('account.signedInNamed', { name: firstName, email })}
      </p>
      {!emailVerified && <Unverified email={email} />}
      <section class="account-part">
        <h3>{t('account.latestOrders')}</h3>
        <OrderList orders={orders} />
        {orders.length === LATEST && (
          <p>
            <a href="/account/orders">{t('account.allOrders')}</a>
          </p>
        )}
      </section>
      {address && (
        <section class="account-part">
          <h3>{t('account.defaultAddress')}</h3>
          <AddressText address={address} />
        </section>
      )}
      <form class="buttons" {...sentOnce('/account/sign-out')} hx-target="#account">
        <button class="button button-outline">{t('account.signOut')}</button>
        <button class="button button-outline" name="everywhere" value="1">
          {t('account.signOutEverywhere')}
        </button>
      </form>
    </>
  )
}

function Unverified({ email }: { email: string }) {
  const { t } = usePage().language
  return (
    <form class="notice" {...sentOnce('/account/verification')} hx-target="#account">
      <p>{t('account.unverified', { email })}</p>
      <button class="link">{t('account.sendAgain')}</button>
    </form>
  )
}
