import { useLanguage } from '../../layout/page-context.ts'
import { Done, Field, Form, type FormState } from './form.tsx'

export interface GuestFormProps {
  state: FormState
  /** Where the customer goes to afterwards. */
  next: string
}

/** What a form sends along when it opens a session. */
export function SessionFields({ next }: { next: string }) {
  return (
    <>
      <input type="hidden" name="next" value={next} />
      {/* A script fills in the wishlist of this browser, which is then added to that of the account. */}
      <input type="hidden" name="saved" data-saved-list />
    </>
  )
}

export function SignIn({ state, next, notice }: GuestFormProps & { notice?: string | undefined }) {
  const { t } = useLanguage()
  const own = { form: 'sign-in', state }
  return (
    <div class="account-narrow">
      <h2>{t('account.signIn')}</h2>
      <Done text={notice} />
      <Form name="sign-in" action="/account/sign-in" state={state} button={t('account.signIn')}>
        <Field {...own} name="email" type="email" label={t('common.email')} autocomplete="username" maxlength={254} />
        <Field {...own} name="password" type="password" label={t('account.password')} autocomplete="current-password" />
        <SessionFields next={next} />
      </Form>
      <ul class="account-links">
        <li>
          <a href="/account/forgot">{t('account.forgotLink')}</a>
        </li>
        <li>
          <a href={`/account/register?next=${encodeURIComponent(next)}`}>{t('account.registerLink')}</a>
        </li>
        <li>
          <a href="/orders/lookup">{t('account.lookupLink')}</a>
        </li>
      </ul>
    </div>
  )
}
