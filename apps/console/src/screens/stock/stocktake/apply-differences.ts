import { messageOf, shop } from '../../../shop.ts'
import { mapInParallel } from './map-in-parallel.ts'
import type { Stocked } from './find-stocked.ts'
import { withRetries } from './with-retries.ts'

/** A variant of which another number was counted than the shop has. */
export interface Difference extends Stocked {
  counted: number
}

export interface Outcome {
  difference: Difference
  /** Why the shop rejected it; undefined when it was applied. */
  error: string | undefined
}

interface Stocktake {
  /** Applies each difference once, however often it is sent. */
  operationId: string
  reason: string
}

/** Adds the differences, so that units that were sold after the count stay sold. */
export async function applyDifferences(
  differences: readonly Difference[],
  stocktake: Stocktake,
  onDone: (done: number) => void,
): Promise<Outcome[]> {
  return mapInParallel(differences, (difference) => apply(difference, stocktake), onDone)
}

async function apply(difference: Difference, stocktake: Stocktake): Promise<Outcome> {
  const { variantId, counted, onHand } = difference
  try {
    await withRetries(() =>
      shop.post('/admin/variants/{id}/inventory', {
        params: { path: { id: variantId } },
        body: { delta: counted - onHand, ...stocktake },
      }),
    )
    return { difference, error: undefined }
  } catch (error) {
    return { difference, error: messageOf(error) }
  }
}
