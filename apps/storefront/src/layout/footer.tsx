import { safeLink } from '../parts/safe-link.ts'
import { usePage } from './page-context.ts'

export function Footer() {
  const { frame, language } = usePage()
  const { t } = language
  const { store, navigation, features } = frame.settings
  const year = new Date().getUTCFullYear()
  return (
    <footer class="footer">
      <div class="footer-columns">
        {features?.newsletter !== false && <NewsletterForm />}
        {navigation?.footer?.map(({ title, links }) => (
          <nav aria-label={title ?? t('common.footer')}>
            <h2>{title}</h2>
            <ul>
              {links?.map(({ label, to }) => (
                <li>
                  <a href={safeLink(to)}>{label}</a>
                </li>
              ))}
            </ul>
          </nav>
        ))}
      </div>
      <p class="footer-note">
        {t('common.rights', { year, name: store?.name ?? '' })}
        {store?.email && <a href={`mailto:${store.email}`}>{store.email}</a>}
      </p>
    </footer>
  )
}

function NewsletterForm() {
  const { t } = usePage().language
  return (
    <form
      class="newsletter"
      method="post"
      action="/newsletter"
      hx-post="/newsletter"
      hx-target="this"
      hx-swap="outerHTML"
    >
      <h2>{t('common.newsletter')}</h2>
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
          required
          maxlength={254}
        />
        <button class="button">{t('common.subscribe')}</button>
      </div>
    </form>
  )
}
