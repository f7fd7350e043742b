import { transaction } from '@storefront/postgres'
import type { Database } from '../database.ts'
import { isImported } from '../transfer/pictures.queries.ts'
import { findMedia, lockMedia } from './media.queries.ts'
import { folderOf } from './media.ts'
import { transactionDeadline, untilAllEnd, type MediaStore } from './store.ts'

/**
 * Removes the files of an upload that has no row, unless an import is about to add it. This needs the lock, because the
 * same picture may be uploaded or imported again: the transaction that adds its row, or records that the import will,
 * checks under the same lock that the files exist.
 * @returns whether any were removed
 */
export async function removeFiles({ db, media }: { db: Database; media: MediaStore }, id: string): Promise<boolean> {
  return transaction(db, async (tx) => {
    await lockMedia(tx, [id])
    if ((await findMedia(tx, [id])).length > 0 || (await isImported(tx, id))) return false
    const signal = transactionDeadline()
    const paths: string[] = []
    for await (const { path } of media.list(folderOf(id), signal)) paths.push(path)
    // Listing may take so long that the lock is lost, and then the files may belong to a new row.
    signal.throwIfAborted()
    await untilAllEnd(paths.map((path) => media.remove(path, signal)))
    return paths.length > 0
  })
}
