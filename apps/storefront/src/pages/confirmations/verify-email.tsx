import { LinkDone, LinkForm, PasswordField, type MailLinkPage } from './mail-link-page.tsx'
import { NewPasswordForm } from './reset-password.tsx'

const PAGE = { route: '/auth/email/verify', name: 'verifyEmail' } as const
/** The shop wants the password of the account, because no session proves that the account is the reader's. */
const NEEDS_PASSWORD = new Set(['missing_credentials', 'invalid_credentials'])

export const VERIFY_EMAIL: MailLinkPage = {
  ...PAGE,
  async act({ shop, form, context }, token) {
    const password = form.get('password')
    const body = { token, ...(password && { password }) }
    const { resetToken } = await shop.post('/auth/email/verify', { body })
    if (resetToken === undefined) return <LinkDone name="verifyEmail" to="account" />
    // Another person may have registered the address: it counts when its owner has set a password.
    return <NewPasswordForm token={resetToken} explanation={context.language.t('confirmations.choosePassword')} />
  },
  retry({ form, context }, error) {
    if (!NEEDS_PASSWORD.has(error.code)) return undefined
    const { t } = context.language
    return (
      <LinkForm page={PAGE} token={form.get('token') ?? ''} explanation={t('confirmations.needsPassword')}>
        <PasswordField
          label={t('account.password')}
          autocomplete="current-password"
          problem={error.code === 'invalid_credentials' ? t('confirmations.wrongPassword') : undefined}
        />
      </LinkForm>
    )
  },
}
