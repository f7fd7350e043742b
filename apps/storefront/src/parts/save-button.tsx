import { usePage } from '../layout/page-context.ts'
import { Icon } from './icon.tsx'
import { sentOnce } from './sent-once.ts'

interface SaveButtonProps {
  slug: string
  title: string
  /** Pages that all shoppers share do not know it: a script has the button show it. */
  isSaved?: boolean
}

/** Puts a product on the wishlist, or removes it. */
export function SaveButton({ slug, title, isSaved = false }: SaveButtonProps) {
  const { frame, language } = usePage()
  if (frame.settings.features?.wishlist === false) return null
  const action = '/wishlist/items'
  return (
    <form class="save" {...sentOnce(action)} data-saves={slug} hx-swap="outerHTML">
      <input type="hidden" name="slug" value={slug} />
      {/* What the button does: 1 saves. */}
      <input type="hidden" name="saved" value={isSaved ? '0' : '1'} />
      <button class="tool" aria-pressed={isSaved} aria-label={language.t('common.save', { title })}>
        <Icon name="heart" />
      </button>
    </form>
  )
}
