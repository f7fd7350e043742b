import { useLanguage } from '../../layout/page-context.ts'
import { dropSession } from '../account/drop-session.ts'
import { LinkDone, LinkForm, PasswordField, type MailLinkPage } from './mail-link-page.tsx'

const PAGE = { route: '/auth/password/reset', name: 'resetPassword' } as const

export const RESET_PASSWORD: MailLinkPage = {
  ...PAGE,
  fields: () => <NewPassword />,
  async act(request, token) {
    const { shop, form } = request
    await shop.post('/auth/password/reset', { body: { token, password: form.get('password') } })
    // Every session of the account has ended.
    await dropSession(request)
    return <LinkDone name="resetPassword" to="account" />
  },
  retry: ({ form, context }, error) =>
    error.code === 'weak_password' ? (
      <NewPasswordForm token={form.get('token') ?? ''} problem={context.language.error(error)} />
    ) : undefined,
}

interface NewPasswordFormProps {
  token: string
  explanation?: string
  problem?: string
}

export function NewPasswordForm({ token, explanation, problem }: NewPasswordFormProps) {
  return (
    <LinkForm page={PAGE} token={token} {...(explanation !== undefined && { explanation })}>
      <NewPassword problem={problem} />
    </LinkForm>
  )
}

function NewPassword({ problem }: { problem?: string | undefined }) {
  const { t } = useLanguage()
  return (
    <PasswordField
      label={t('account.newPassword')}
      hint={t('account.passwordRule')}
      autocomplete="new-password"
      problem={problem}
    />
  )
}
