import { chunksOf, DAY_MS, every, HOUR_MS, type Timer } from '@storefront/service'
import type { CatalogContext } from '../context.ts'
import { findMedia } from './media.queries.ts'
import { UPLOADS } from './media.ts'
import { removeFiles } from './remove-files.ts'

/** Far longer than any upload takes from writing its files to writing its row. */
const SPARED_MS = DAY_MS
/** Short enough that a replica that restarts every day still runs it. */
const SWEEP_MS = 6 * HOUR_MS
const CHUNK = 500

type SweepContext = Pick<CatalogContext, 'db' | 'media' | 'clock' | 'log'>

/** Removes what a crash has left: files of uploads without a row, and temporary files. */
export function sweepMedia(context: SweepContext): Timer {
  return every(SWEEP_MS, 'delete abandoned uploads', context.log, async () => void (await sweepMediaOnce(context)))
}

/** One run of `sweepMedia`. @returns how many uploads were removed */
export async function sweepMediaOnce(context: SweepContext): Promise<number> {
  const { db, media, clock, log } = context
  const beforeMs = clock.now().getTime() - SPARED_MS
  const changedMs = new Map<string, number>()
  for await (const { path, changedAt } of media.list(UPLOADS)) {
    const [id = '', file = ''] = path.slice(UPLOADS.length).split('/')
    if (!file.startsWith('.')) changedMs.set(id, Math.max(changedMs.get(id) ?? 0, changedAt.getTime()))
    else if (changedAt.getTime() < beforeMs) await media.remove(path)
  }
  const old = [...changedMs].filter(([, ms]) => ms < beforeMs).map(([id]) => id)
  let removed = 0
  for (const ids of chunksOf(old, CHUNK)) {
    const known = new Set((await findMedia(db, ids)).map(({ id }) => id))
    for (const id of ids.filter((one) => !known.has(one))) if (await removeFiles(context, id)) removed++
  }
  if (removed > 0) log.info({ removed }, 'picture files without a database row were removed')
  return removed
}
