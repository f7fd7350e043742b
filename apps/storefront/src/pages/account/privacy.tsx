import { usePage } from '../../layout/page-context.ts'
import type { App, Storefront } from '../../server/storefront.ts'
import { accountForm, accountPage, type AccountPage } from './account-page.tsx'
import { Field, Form, type FormState } from './form.tsx'
import { leave } from './sign-out.ts'

const PRIVACY: AccountPage = {
  route: '/account/privacy',
  title: 'privacy',
  content: async (request) => (
    <>
      <Export />
      <Deletion state={request} />
    </>
  ),
}

export function privacyPage(app: App, storefront: Storefront): void {
  accountPage(app, storefront, PRIVACY)
  accountForm(app, storefront, {
    route: '/account/delete',
    name: 'delete',
    page: PRIVACY,
    fields: { invalid_credentials: 'password', missing_credentials: 'password' },
    async act(request) {
      // The box is required; without it the form was not sent by its page.
      if (request.form.get('confirm') !== '1') return { redirect: PRIVACY.route }
      await request.shop.delete('/me', { body: { password: request.form.get('password') } })
      return leave(request, 'deleted')
    },
  })
}

function Export() {
  const { t } = usePage().language
  return (
    <section class="account-part">
      <h3>{t('account.export')}</h3>
      <p>{t('account.exportText')}</p>
      <p>
        <a class="button button-outline" href="/account/export" download data-downloads={t('errorPage.goneWrong')}>
          {t('account.exportButton')}
        </a>
      </p>
    </section>
  )
}

function Deletion({ state }: { state: FormState }) {
  const { t } = usePage().language
  const isOpen = state.problem?.form === 'delete'
  return (
    <section class="account-part">
      <h3>{t('account.delete')}</h3>
      <p>{t('account.deleteText')}</p>
      <details open={isOpen}>
        <summary>{t('account.deleteBegin')}</summary>
        <Form name="delete" action="/account/delete" state={state} button={t('account.deleteButton')}>
          <Field
            form="delete"
            name="password"
            type="password"
            label={t('account.password')}
            autocomplete="current-password"
            state={state}
          />
          <p class="checkbox">
            <input id="delete-confirm" type="checkbox" name="confirm" value="1" required />
            <label for="delete-confirm">{t('account.deleteConfirm')}</label>
          </p>
        </Form>
      </details>
    </section>
  )
}
