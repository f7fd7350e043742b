import { inParallel } from '../../../parts/in-parallel.ts'
import { messageOf, shop } from '../../../shop.ts'

/** A product that was not deleted, and why. */
export interface DeleteFailure {
  id: string
  message: string
}

const AT_ONCE = 6

/**
 * Deletes products, by one request each: the shop's bulk edits can be undone, and this cannot.
 * @param onProgress called with the number of products that are done, failures included
 * @returns those that failed
 */
export async function deleteProducts(
  ids: readonly string[],
  onProgress: (done: number) => void,
): Promise<DeleteFailure[]> {
  const failures: DeleteFailure[] = []
  let done = 0
  await inParallel(ids, AT_ONCE, async (id) => {
    try {
      await shop.delete('/admin/products/{id}', { params: { path: { id } } })
    } catch (error) {
      failures.push({ id, message: messageOf(error) })
    }
    done += 1
    onProgress(done)
  })
  return failures
}
