import { useLanguage } from './page-context.ts'
import { sentOnce } from '../parts/sent-once.ts'

interface NewsletterFormProps {
  problem?: { email: string; message: string }
}

/** The response replaces the form. */
export function NewsletterForm({ problem }: NewsletterFormProps) {
  const { t } = useLanguage()
  return (
    <form {...sentOnce('/newsletter')} hx-target="this" hx-swap="outerHTML">
      <p>{t('common.newsletterText')}</p>
      <div class="field-row">
        <label class="visually-hidden" for="newsletter-email">
          {t('common.email')}
        </label>
        <input
          id="newsletter-email"
          type="email"
          name="email"
          autocomplete="email"
          placeholder={t('common.email')}
          value={problem?.email}
          required
          maxlength={254}
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem && 'newsletter-problem'}
          autofocus={problem !== undefined}
        />
        <button class="button">{t('common.subscribe')}</button>
      </div>
      {problem && (
        <p class="problem" id="newsletter-problem" role="alert">
          {problem.message}
        </p>
      )}
    </form>
  )
}
