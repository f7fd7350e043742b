import { useLanguage } from '../layout/page-context.ts'

export interface Crumb {
  label: string
  /** A path of this storefront. */
  to: string
}

/** The way from the home page to this one. @param crumbs from the top; the last one is this page */
export function Breadcrumbs({ crumbs }: { crumbs: readonly Crumb[] }) {
  const { t } = useLanguage()
  const last = crumbs.length - 1
  return (
    <nav class="crumbs" aria-label={t('common.breadcrumbs')}>
      <ol>
        {crumbs.map(({ label, to }, index) => (
          <li>{index === last ? <span aria-current="page">{label}</span> : <a href={to}>{label}</a>}</li>
        ))}
      </ol>
    </nav>
  )
}

/** The same for search engines. @param storefrontUrl the public address of this storefront */
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
