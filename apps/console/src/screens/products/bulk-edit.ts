import { inParallel } from '../../parts/in-parallel.ts'
import { messageOf, shop } from '../../shop.ts'

export type BulkDeed = 'publish' | 'unpublish' | 'delete'

/** A product that was not changed, and why. */
export interface BulkFailure {
  id: string
  message: string
}

const AT_ONCE = 6

/**
 * Does the same to many products, by one request each.
 * @param onProgress called with the number of products that are done, failures included
 * @returns those that failed
 */
export async function editInBulk(
  ids: readonly string[],
  deed: BulkDeed,
  onProgress: (done: number) => void,
): Promise<BulkFailure[]> {
  const failures: BulkFailure[] = []
  let done = 0
  await inParallel(ids, AT_ONCE, async (id) => {
    try {
      await editOne(id, deed)
    } catch (error) {
      failures.push({ id, message: messageOf(error) })
    }
    done += 1
    onProgress(done)
  })
  return failures
}

async function editOne(id: string, deed: BulkDeed): Promise<void> {
  const params = { path: { id } }
  if (deed === 'delete') await shop.delete('/admin/products/{id}', { params })
  else await shop.patch('/admin/products/{id}', { params, body: { published: deed === 'publish' } })
}
