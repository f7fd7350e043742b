import { SavedView } from '@storefront/contracts'
import type { StoredView } from './views.queries.ts'

export const Screen = SavedView.shape.screen

/** The limit per user and screen. */
export const MAX_VIEWS = 50

export function shownView({ id, screen, name, query, created_at }: StoredView): SavedView {
  return { id, screen, name, query, createdAt: created_at.toISOString() }
}
