import { useLanguage } from '../../layout/page-context.ts'
import { Field, Form } from './form.tsx'
import { NameFields } from './name-fields.tsx'
import { SessionFields, type GuestFormProps } from './sign-in-form.tsx'

export function Register({ state, next }: GuestFormProps) {
  const { t } = useLanguage()
  const own = { form: 'register', state }
  return (
    <div class="account-narrow">
      <h2>{t('account.register')}</h2>
      <p class="hint">{t('account.registerText')}</p>
      <Form name="register" action="/account/register" state={state} button={t('account.register')}>
        <NameFields {...own} />
        <Field {...own} name="email" type="email" label={t('common.email')} autocomplete="email" maxlength={254} />
        <Field
          {...own}
          name="password"
          type="password"
          label={t('account.password')}
          hint={t('account.passwordRule')}
          autocomplete="new-password"
        />
        <SessionFields next={next} />
      </Form>
      <p>
        <a href={`/account?next=${encodeURIComponent(next)}`}>{t('account.haveAccount')}</a>
      </p>
    </div>
  )
}
