import { useLanguage } from '../../layout/page-context.ts'
import { Done, Field, Form, type FormState } from './form.tsx'

export function Forgot({ state, sentTo }: { state: FormState; sentTo?: string }) {
  const { t } = useLanguage()
  return (
    <div class="account-narrow">
      <h2>{t('account.forgot')}</h2>
      {sentTo === undefined ? (
        <>
          <p class="hint">{t('account.forgotText')}</p>
          <Form name="forgot" action="/account/forgot" state={state} button={t('account.forgotSend')}>
            <Field
              form="forgot"
              name="email"
              type="email"
              label={t('common.email')}
              autocomplete="username"
              maxlength={254}
              state={state}
            />
          </Form>
        </>
      ) : (
        <Done text={t('account.forgotSent', { email: sentTo })} />
      )}
      <p>
        <a href="/account">{t('account.backToSignIn')}</a>
      </p>
    </div>
  )
}
