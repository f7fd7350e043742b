import type { NavigationItem } from '@storefront/contracts/storefront-navigation'
import { Icon } from '../parts/icon.tsx'
import { safeLink } from '../parts/safe-link.ts'
import { categoryPath, type Frame } from '../shop/frame.ts'
import { usePage } from './page-context.ts'

interface MenuItem {
  label: string
  to: string
  children: MenuItem[]
}

export function Header() {
  const { frame, language } = usePage()
  const { t } = language
  const { store, features, navigation } = frame.settings
  const messages = navigation?.announcement?.messages ?? []
  return (
    <header class="header">
      {messages.length > 0 && (
        <ul class="announcement" aria-label={t('common.announcements')}>
          {messages.map((message) => (
            <li>{message}</li>
          ))}
        </ul>
      )}
      <div class="header-bar">
        <details class="menu-small">
          <summary aria-label={t('common.menu')}>
            <Icon name="menu" />
          </summary>
          <Menu />
        </details>
        <a class="wordmark" href="/">
          {store?.logo?.imageUrl ? (
            <img src={store.logo.imageUrl} alt={store.name ?? ''} height={store.logo.height ?? 32} />
          ) : (
            (store?.logo?.wordmark ?? store?.name ?? t('common.home'))
          )}
        </a>
        <div class="menu-wide">
          <Menu />
        </div>
        <div class="header-tools">
          {features?.search !== false && <SearchField />}
          {features?.accounts !== false && (
            <a class="tool" href="/account" aria-label={t('common.account')}>
              <Icon name="user" />
            </a>
          )}
          {features?.wishlist !== false && (
            <a class="tool" href="/wishlist" aria-label={t('common.saved')}>
              <Icon name="heart" />
            </a>
          )}
          <a class="tool" href="/cart" data-opens-bag>
            <Icon name="bag" />
            <span class="visually-hidden">{t('common.bag')}</span>
            <span id="bag-count" class="count" />
          </a>
        </div>
      </div>
    </header>
  )
}

function SearchField() {
  const { t } = usePage().language
  return (
    <form class="search-field" role="search" action="/search" data-suggest>
      <label class="visually-hidden" for="search">
        {t('common.searchShop')}
      </label>
      <input
        id="search"
        type="search"
        name="q"
        placeholder={t('common.search')}
        autocomplete="off"
        maxlength={200}
        aria-autocomplete="list"
        aria-controls="suggestions"
        aria-expanded={false}
      />
      <button class="tool" aria-label={t('common.search')}>
        <Icon name="search" />
      </button>
      <div id="suggestions" class="suggestions" role="listbox" aria-label={t('search.suggestions')} hidden />
      <p class="visually-hidden" role="status" />
    </form>
  )
}

function Menu() {
  const { frame, language } = usePage()
  return (
    <nav aria-label={language.t('common.menu')}>
      <ul class="menu">
        {menuOf(frame).map(({ label, to, children }) => (
          <li>
            <a href={to}>{label}</a>
            {children.length > 0 && (
              <ul class="submenu">
                {children.map((child) => (
                  <li>
                    <a href={child.to}>{child.label}</a>
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** The merchant's menu; without one, the categories. */
function menuOf({ settings, categories }: Frame): MenuItem[] {
  const chosen = settings.navigation?.primary ?? []
  if (chosen.length === 0)
    return categories.map(({ slug, name }) => ({ label: name, to: `/shop/${slug}`, children: [] }))
  const itemOf = (item: NavigationItem): MenuItem => {
    const slug = item.categorySlug ?? item.slug
    const category = slug ? categoryPath(categories, slug).at(-1) : undefined
    const below = item.children ?? category?.children?.map(({ slug, name }) => ({ slug, name })) ?? []
    return {
      label: item.label ?? item.name ?? category?.name ?? '',
      to: safeLink(item.to ?? (slug ? `/shop/${slug}` : '/')),
      children: below.map(itemOf),
    }
  }
  return chosen.map(itemOf).filter(({ label }) => label !== '')
}
