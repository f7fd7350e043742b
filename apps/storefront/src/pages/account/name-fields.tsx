import { useLanguage } from '../../layout/page-context.ts'
import { Field, type FormState } from './form.tsx'

interface NameFieldsProps {
  form: string
  state: FormState
  firstName?: string
  lastName?: string
}

export function NameFields({ form, state, firstName, lastName }: NameFieldsProps) {
  const { t } = useLanguage()
  const both = { form, state, maxlength: 100, isOptional: true }
  return (
    <div class="name-pair">
      <Field {...both} name="firstName" label={t('account.firstName')} autocomplete="given-name" value={firstName} />
      <Field {...both} name="lastName" label={t('account.lastName')} autocomplete="family-name" value={lastName} />
    </div>
  )
}
