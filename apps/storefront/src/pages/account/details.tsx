import { usePage } from '../../layout/page-context.ts'
import type { App, Storefront } from '../../server/storefront.ts'
import { accountForm, accountPage, type AccountPage, type AccountRequest } from './account-page.tsx'
import { Field, Form } from './form.tsx'
import { NameFields } from './name-fields.tsx'

const DETAILS: AccountPage = {
  route: '/account/details',
  title: 'details',
  content: async (request) => (
    <>
      <Names {...request} />
      <Email {...request} />
      <Password {...request} />
    </>
  ),
}

export function detailsPage(app: App, storefront: Storefront): void {
  const page = DETAILS
  accountPage(app, storefront, page)
  accountForm(app, storefront, {
    route: '/account/details',
    name: 'names',
    page,
    part: Names,
    async act({ shop, form }) {
      const text = (name: string) => (form.get(name) ?? '').trim()
      const body = { firstName: text('firstName'), lastName: text('lastName'), phone: text('phone') || null }
      await shop.patch('/me', { body })
      return 'details'
    },
  })
  accountForm(app, storefront, {
    route: '/account/email',
    name: 'email',
    page,
    part: Email,
    fields: { invalid_email: 'email', email_taken: 'email', invalid_credentials: 'password' },
    async act({ shop, form }) {
      await shop.post('/auth/email/change', {
        body: { email: (form.get('email') ?? '').trim(), password: form.get('password') },
      })
      return 'emailRequested'
    },
  })
  accountForm(app, storefront, {
    route: '/account/password',
    name: 'password',
    page,
    part: Password,
    fields: { invalid_credentials: 'currentPassword', weak_password: 'newPassword' },
    async act({ shop, form }) {
      await shop.post('/auth/password/change', {
        body: { currentPassword: form.get('currentPassword'), newPassword: form.get('newPassword') },
      })
      return 'password'
    },
  })
}

function Names(request: AccountRequest) {
  const { customer } = request
  const { t } = usePage().language
  const form = 'names'
  return (
    <section class="account-part">
      <h3>{t('account.names')}</h3>
      <Form name={form} action="/account/details" state={request} isPart button={t('account.save')}>
        <NameFields form={form} state={request} firstName={customer.firstName} lastName={customer.lastName} />
        <Field
          form={form}
          name="phone"
          type="tel"
          label={t('account.phone')}
          autocomplete="tel"
          maxlength={50}
          value={customer.phone ?? ''}
          isOptional
          state={request}
        />
      </Form>
    </section>
  )
}

function Email(request: AccountRequest) {
  const { customer } = request
  const { t } = usePage().language
  const own = { form: 'email', state: request }
  return (
    <section class="account-part">
      <h3>{t('account.changeEmail')}</h3>
      <p class="hint">{t('account.changeEmailText', { email: customer.email })}</p>
      <Form name="email" action="/account/email" state={request} isPart button={t('account.changeEmail')}>
        <Field {...own} name="email" type="email" label={t('account.newEmail')} autocomplete="email" maxlength={254} />
        <Field {...own} name="password" type="password" label={t('account.password')} autocomplete="current-password" />
      </Form>
    </section>
  )
}

function Password(request: AccountRequest) {
  const { t } = usePage().language
  const own = { form: 'password', state: request }
  return (
    <section class="account-part">
      <h3>{t('account.changePassword')}</h3>
      <p class="hint">{t('account.changePasswordText')}</p>
      <Form name="password" action="/account/password" state={request} isPart button={t('account.changePassword')}>
        <Field
          {...own}
          name="currentPassword"
          type="password"
          label={t('account.currentPassword')}
          autocomplete="current-password"
        />
        <Field
          {...own}
          name="newPassword"
          type="password"
          label={t('account.newPassword')}
          hint={t('account.passwordRule')}
          autocomplete="new-password"
        />
      </Form>
    </section>
  )
}
