import { usePage } from '../layout/page-context.ts'
import { Icon } from './icon.tsx'

/** A heart that saves a product for later. A script shows what a guest has saved. */
export function SaveButton({ slug, isSaved = false }: { slug: string; isSaved?: boolean }) {
  const { frame, language } = usePage()
  if (frame.settings.features?.wishlist === false) return null
  return (
    <form
      class="save"
      method="post"
      action="/wishlist/items"
      hx-post="/wishlist/items"
      hx-swap="outerHTML"
      data-saves={slug}
    >
      <input type="hidden" name="slug" value={slug} />
      <input type="hidden" name="saved" value={isSaved ? '0' : '1'} />
      <button class="tool" aria-pressed={isSaved} aria-label={language.t('product.save')}>
        <Icon name="heart" filled={isSaved} />
      </button>
    </form>
  )
}
