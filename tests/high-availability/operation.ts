import { z } from 'zod'
import { OrderRecord } from './order-record.ts'

export const Wanted = z.array(z.object({ variantId: z.string(), quantity: z.int().positive() }))
export type Wanted = z.output<typeof Wanted>

/** What a client did, as it is known when the request is sent. One repeated request is several operations. */
export const Action = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('create-cart') }),
  z.object({
    kind: z.literal('add-line'),
    cartId: z.string(),
    key: z.string(),
    variantId: z.string(),
    quantity: z.int().positive(),
  }),
  z.object({
    kind: z.literal('checkout'),
    cartId: z.string(),
    /** The Idempotency-Key. */
    key: z.string(),
    /** An address that only this buyer has: it connects an order with its checkout. */
    email: z.string(),
    /** What the buyer has put into the cart, each line acknowledged. */
    lines: Wanted,
  }),
  /** On the page of the provider, which is outside the shop. */
  z.object({ kind: z.literal('pay'), sessionId: z.string(), email: z.string() }),
  z.object({ kind: z.literal('read-checkout'), sessionId: z.string() }),
  z.object({ kind: z.literal('read-order'), orderId: z.string() }),
])
export type Action = z.output<typeof Action>

export const OUTCOMES = ['ok', 'fail', 'unknown'] as const
export const Outcome = z.enum(OUTCOMES)
export type Outcome = z.output<typeof Outcome>

/** What a response contained. */
export const Result = z.object({
  cartId: z.string().optional(),
  order: OrderRecord.optional(),
  /** A payment session, and the path of the page to pay on. Never its token, which opens the order. */
  session: z.object({ id: z.string(), path: z.string() }).optional(),
  /** The order of a payment session, once there is one. */
  orderId: z.string().optional(),
})
export type Result = z.output<typeof Result>

export const Completion = z.object({
  /** `ok`: it took effect. `fail`: it did not. `unknown`: it may have, or may still. */
  outcome: Outcome,
  /** The HTTP status, if there was a response. */
  status: z.int().optional(),
  /** The code of the shop's error, if the response had one. */
  code: z.string().optional(),
  /** Why there was no response. */
  errorKind: z.string().optional(),
  result: Result.optional(),
})
export type Completion = z.output<typeof Completion>

export interface Operation extends Completion {
  id: number
  /** The number of the buyer. */
  buyer: number
  action: Action
  /** Milliseconds of the clock of the recorder. */
  invokedAtMs: number
  /** Infinity for an operation whose end was not recorded: it may take effect at any time. */
  endedAtMs: number
}

export type OperationOf<Kind extends Action['kind']> = Operation & { action: Extract<Action, { kind: Kind }> }

/** @returns the operations of this kind */
export function ofKind<Kind extends Action['kind']>(operations: readonly Operation[], kind: Kind): OperationOf<Kind>[] {
  return operations.filter((operation): operation is OperationOf<Kind> => operation.action.kind === kind)
}
