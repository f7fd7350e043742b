import { Icon } from '../parts/icon.tsx'
import { useLanguage } from './page-context.ts'

/** Opened by a script, which loads the contents; without scripts the links lead to the page of the bag. */
export function BagDrawer() {
  const { t } = useLanguage()
  return (
    <dialog id="bag" class="drawer" aria-labelledby="bag-title">
      <div class="drawer-head">
        <h2 id="bag-title">{t('bag.title')}</h2>
        <button class="tool" data-closes-dialog aria-label={t('common.close')}>
          <Icon name="close" />
        </button>
      </div>
      <div id="bag-contents" hx-get="/cart/contents" hx-trigger="load-bag" aria-live="polite">
        <p class="hint">{t('common.loading')}</p>
      </div>
    </dialog>
  )
}
