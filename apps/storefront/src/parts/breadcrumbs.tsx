import { useLanguage } from '../layout/page-context.ts'

export interface Crumb {
  label: string
  to: string
}

/** The way to a page from the top; the page itself is not part of it. */
export function Breadcrumbs({ crumbs }: { crumbs: readonly Crumb[] }) {
  const { t } = useLanguage()
  return (
    <nav class="crumbs" aria-label={t('common.breadcrumbs')}>
      <ol>
        {crumbs.map(({ label, to }) => (
          <li>
            <a href={to}>{label}</a>
          </li>
        ))}
      </ol>
    </nav>
  )
}

/** The same for search engines. */
export function breadcrumbData(crumbs: readonly Crumb[], storefrontUrl: string): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'BreadcrumbList',
    itemListElement: crumbs.map(({ label, to }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name: label,
      item: `${storefrontUrl}${to}`,
    })),
  }
}
