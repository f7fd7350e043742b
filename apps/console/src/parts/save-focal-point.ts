import { t } from 'i18next'
import { shop } from '../shop.ts'
import { refreshMedia, type MediaWithUses } from './media-queries.ts'
import { noticeUndo } from './notices.ts'
import { showNewCrop } from './picture.tsx'

export type FocalPoint = NonNullable<MediaWithUses['focalPoint']>

export const MIDDLE: FocalPoint = { x: 0.5, y: 0.5 }

/** The position in the notation of CSS, such as `50% 35%`. */
export function positionOf({ x, y }: FocalPoint): string {
  return `${x * 100}% ${y * 100}%`
}

/** Saves the focal point of a picture, with a notice to undo it. */
export async function saveFocalPoint(
  { id, focalPoint }: Pick<MediaWithUses, 'id' | 'focalPoint'>,
  point: FocalPoint,
): Promise<void> {
  await write(id, isMiddle(point) ? null : point)
  noticeUndo(t('common.focalPoint.saved'), () => write(id, focalPoint), t('common.focalPoint.restored'))
}

async function write(id: string, focalPoint: FocalPoint | null): Promise<void> {
  await shop.patch('/admin/media/{id}', { params: { path: { id } }, body: { focalPoint } })
  showNewCrop(id)
  await refreshMedia()
}

function isMiddle({ x, y }: FocalPoint): boolean {
  return x === MIDDLE.x && y === MIDDLE.y
}
