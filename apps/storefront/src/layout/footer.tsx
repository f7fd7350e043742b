import { safeLink } from '../parts/safe-link.ts'
import { NewsletterForm } from './newsletter-form.tsx'
import { usePage } from './page-context.ts'

export function Footer() {
  const { frame, language } = usePage()
  const { t } = language
  const { store, navigation, features } = frame.settings
  const year = language.year(new Date())
  return (
    <footer class="footer">
      <div class="footer-columns">
        {features?.newsletter !== false && (
          <section class="newsletter">
            <h2>{t('common.newsletter')}</h2>
            {/* The response to the form is read out. */}
            <div aria-live="polite">
              <NewsletterForm />
            </div>
          </section>
        )}
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
