import { addressLines } from '@storefront/contracts/address-lines'
import { usePage } from '../../layout/page-context.ts'
import { ButtonLink } from '../../parts/button-link.tsx'
import type { App, Storefront } from '../../server/storefront.ts'
import { accountForm, accountPage, type AccountPage } from './account-page.tsx'
import { AddressForm, readAddress, type CustomerAddress } from './address-form.tsx'
import { sentOnce } from '../../parts/sent-once.ts'

const FORM = 'address'
const NEW = 'new'

const ADDRESSES: AccountPage = {
  route: '/account/addresses',
  title: 'addresses',
  content: async ({ customer }) => <AddressBook addresses={customer.addresses} />,
}

/** One address in its form; with the id `new`, an empty one. */
const ADDRESS: AccountPage = {
  route: '/account/addresses/:id',
  title: 'addresses',
  async content(request) {
    const id = request.params['id']
    const address = request.customer.addresses.find((one) => one.id === id)
    if (!address && id !== NEW) return <AddressBook addresses={request.customer.addresses} />
    const { t } = request.context.language
    return (
      <section class="account-part">
        <h3>{t(address ? 'account.changeAddress' : 'account.addAddress')}</h3>
        <AddressForm
          name={FORM}
          action={`/account/addresses/${address?.id ?? NEW}`}
          address={address}
          state={request}
        />
        <p>
          <a href="/account/addresses">{t('account.backToAddresses')}</a>
        </p>
      </section>
    )
  },
}

export function addressPages(app: App, storefront: Storefront): void {
  accountPage(app, storefront, ADDRESSES)
  accountPage(app, storefront, ADDRESS)
  const form = (route: string, page: AccountPage) => ({ route, page, path: '/account/addresses', name: FORM })
  accountForm(app, storefront, {
    ...form('/account/addresses/:id', ADDRESS),
    async act({ shop, form, params }) {
      const body = readAddress(form)
      const id = params['id'] ?? NEW
      if (id === NEW) await shop.post('/me/addresses', { body })
      else await shop.patch('/me/addresses/{id}', { params: { path: { id } }, body })
      return { redirect: '/account/addresses?done=addressSaved' }
    },
  })
  accountForm(app, storefront, {
    ...form('/account/addresses/:id/remove', ADDRESSES),
    async act({ shop, params }) {
      await shop.delete('/me/addresses/{id}', { params: { path: { id: params['id'] ?? '' } } })
      return 'addressRemoved'
    },
  })
  accountForm(app, storefront, {
    ...form('/account/addresses/:id/default', ADDRESSES),
    async act({ shop, params }) {
      const path = { id: params['id'] ?? '' }
      await shop.patch('/me/addresses/{id}', { params: { path }, body: { isDefault: true } })
      return 'addressDefault'
    },
  })
}

function AddressBook({ addresses }: { addresses: readonly CustomerAddress[] }) {
  const { t } = usePage().language
  return (
    <>
      {addresses.length === 0 && <p>{t('account.noAddresses')}</p>}
      <ul class="addresses">
        {addresses.map((address) => (
          <AddressCard address={address} />
        ))}
      </ul>
      <ButtonLink to={`/account/addresses/${NEW}`}>{t('account.addAddress')}</ButtonLink>
    </>
  )
}

function AddressCard({ address }: { address: CustomerAddress }) {
  const { t } = usePage().language
  const { id, isDefault, name, line1 } = address
  const path = `/account/addresses/${encodeURIComponent(id)}`
  const which = [name, line1].filter((text) => text !== '').join(', ')
  return (
    <li class="address-card">
      {isDefault && <p class="eyebrow">{t('account.default')}</p>}
      <AddressText address={address} />
      <div class="address-actions">
        <a href={path} aria-label={t('account.changeNamed', { address: which })}>
          {t('account.change')}
        </a>
        {!isDefault && (
          <form {...sentOnce(`${path}/default`)} hx-target="#account">
            <button class="link" aria-label={t('account.makeDefaultNamed', { address: which })}>
              {t('account.makeDefault')}
            </button>
          </form>
        )}
        <details>
          <summary class="link" aria-label={t('account.removeNamed', { address: which })}>
            {t('account.remove')}
          </summary>
          <form {...sentOnce(`${path}/remove`)} hx-target="#account">
            <button class="button button-outline">{t('account.removeConfirm')}</button>
          </form>
        </details>
      </div>
    </li>
  )
}

export function AddressText({ address }: { address: CustomerAddress }) {
  const { country: nameOf } = usePage().language
  return (
    <address>
      {[...addressLines(address, nameOf), address.phone].filter(Boolean).map((line) => (
        <span>{line}</span>
      ))}
    </address>
  )
}
