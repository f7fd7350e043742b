import { constantFrom, integer, oneof, record, type Arbitrary } from 'fast-check'

/** A change of the stock of a product with two variants. */
export type Step =
  | { kind: 'set'; variant: number; quantity: number }
  | { kind: 'adjust'; variant: number; delta: number; operationId: string | undefined }
  | { kind: 'reserve'; quantities: readonly [number, number] }
  | { kind: 'release' | 'sell'; hold: number }

const variant = integer({ min: 0, max: 1 })

export const anyStep: Arbitrary<Step> = oneof(
  record({ kind: constantFrom('set' as const), variant, quantity: integer({ min: 0, max: 9 }) }),
  record({
    kind: constantFrom('adjust' as const),
    variant,
    delta: integer({ min: -6, max: 6 }).filter((delta) => delta !== 0),
    operationId: constantFrom(undefined, undefined, 'op-1', 'op-2'),
  }),
  // Quantities from 0 to 3, not both of them 0.
  integer({ min: 1, max: 15 }).map((both): Step => ({ kind: 'reserve', quantities: [both & 3, both >> 2] })),
  record({ kind: constantFrom('release' as const, 'sell' as const), hold: integer({ min: 0, max: 3 }) }),
)

interface Row {
  onHand: number
  reserved: number
  operations: Set<string>
}

interface Hold {
  quantities: readonly [number, number]
  status: 'held' | 'released' | 'sold'
}

/** The visible result of a step. */
export interface Outcome {
  inventory?: number | undefined
  replayed?: boolean | undefined
  /** The available units, of which more were requested. */
  short?: number
  held?: boolean
  released?: boolean
}

/** A naive model of stock. */
export class StockModel {
  readonly #rows: [Row, Row]
  readonly #holds: Hold[] = []

  constructor(onHand: number) {
    this.#rows = [
      { onHand, reserved: 0, operations: new Set() },
      { onHand, reserved: 0, operations: new Set() },
    ]
  }

  get stock(): { onHand: number; reserved: number }[] {
    return this.#rows.map(({ onHand, reserved }) => ({ onHand, reserved }))
  }

  /** Whether the hold exists; an order on released goods cannot be placed. */
  isPossible(step: Step): boolean {
    if (step.kind !== 'release' && step.kind !== 'sell') return true
    const hold = this.#holds[step.hold]
    return hold !== undefined && (step.kind === 'release' || hold.status !== 'released')
  }

  take(step: Step): Outcome {
    if (step.kind === 'set') return this.#set(this.#row(step.variant), step.quantity)
    if (step.kind === 'adjust') return this.#adjust(this.#row(step.variant), step.delta, step.operationId)
    if (step.kind === 'reserve') return this.#reserve(step.quantities)
    return this.#end(step.hold, step.kind === 'sell' ? 'sold' : 'released')
  }

  #row(index: number): Row {
    return index === 0 ? this.#rows[0] : this.#rows[1]
  }

  #set(row: Row, quantity: number): Outcome {
    row.onHand = quantity + row.reserved
    return { inventory: quantity }
  }

  #adjust(row: Row, delta: number, operationId: string | undefined): Outcome {
    const available = row.onHand - row.reserved
    if (operationId !== undefined && row.operations.has(operationId)) return { inventory: available, replayed: true }
    if (available + delta < 0) return { short: available }
    if (operationId !== undefined) row.operations.add(operationId)
    row.onHand += delta
    return { inventory: available + delta }
  }

  #reserve(quantities: readonly [number, number]): Outcome {
    const held = this.#rows.every((row, index) => row.onHand - row.reserved >= (quantities[index] ?? 0))
    if (!held) return { held }
    this.#rows.forEach((row, index) => (row.reserved += quantities[index] ?? 0))
    this.#holds.push({ quantities, status: 'held' })
    return { held }
  }

  #end(index: number, status: 'sold' | 'released'): Outcome {
    const hold = this.#holds[index]
    const isHeld = hold?.status === 'held'
    if (hold && isHeld) {
      hold.status = status
      this.#rows.forEach((row, place) => {
        row.reserved -= hold.quantities[place] ?? 0
        if (status === 'sold') row.onHand -= hold.quantities[place] ?? 0
      })
    }
    return status === 'sold' ? {} : { released: isHeld }
  }
}
