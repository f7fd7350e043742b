import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import { z } from 'zod'

export const ITEMS = ['shirt', 'socks'] as const
const Item = z.enum(ITEMS)
export type Item = z.output<typeof Item>

export const CODES = ['once', 'each'] as const
export type Code = (typeof CODES)[number]

/** `home` is signed in from the start; `phone` is the browser of a guest until the buyer signs in there. */
const Device = z.enum(['home', 'phone'])
export type Device = z.output<typeof Device>

const count = z.int().nonnegative()
const cart = { buyer: count, at: Device }

/**
 * One request of a buyer, of the payment provider or of a merchant. `page` and `order` name the n-th page of a payment
 * or the n-th order, counted back from the newest.
 */
const Action = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('add'), ...cart, item: Item, quantity: count, isSentTwice: z.boolean() }),
  z.strictObject({ kind: z.literal('change'), ...cart, item: Item, quantity: count }),
  z.strictObject({ kind: z.literal('remove'), ...cart, item: Item }),
  z.strictObject({ kind: z.literal('look'), ...cart }),
  z.strictObject({ kind: z.literal('discount'), ...cart, code: z.enum([...CODES, '']) }),
  z.strictObject({ kind: z.literal('check out'), ...cart, hasKey: z.boolean() }),
  z.strictObject({ kind: z.literal('sign in'), buyer: count }),
  z.strictObject({ kind: z.literal('sign out'), buyer: count }),
  z.strictObject({ kind: z.literal('press'), page: count, button: z.enum(['pay', 'decline', 'cancel']) }),
  z.strictObject({ kind: z.literal('webhook'), page: count, payment: z.enum(['same', 'other']) }),
  z.strictObject({ kind: z.literal('expire'), page: count, isAtProvider: z.boolean() }),
  z.strictObject({ kind: z.literal('cancel'), order: count }),
  z.strictObject({ kind: z.literal('fulfill'), order: count }),
  z.strictObject({ kind: z.literal('mark paid'), order: count }),
  z.strictObject({
    kind: z.literal('refund'),
    order: count,
    part: z.enum(['rest', 'half', 'too much']),
    restock: z.boolean(),
    hasKey: z.boolean(),
  }),
  z.strictObject({ kind: z.literal('stock'), item: Item, delta: z.int(), operation: count }),
])
export type Action = z.output<typeof Action>

/** Actions that begin together, each after its own delay. A single action is sequential. */
export const Step = z.array(z.strictObject({ action: Action, afterMs: count })).readonly()
export type Step = z.output<typeof Step>

export const BUYERS = 2
const MAX_AT_ONCE = 4
const LONGEST_DELAY_MS = 60

/** An action in one sentence. */
export function inWords(action: Action): string {
  switch (action.kind) {
    case 'add':
      return `${cartOf(action)} gets ${action.quantity} ${action.item}${action.isSentTwice ? ' (sent twice with one key)' : ''}`
    case 'change':
      return `${cartOf(action)} is set to ${action.quantity} ${action.item}`
    case 'remove':
      return `${cartOf(action)} loses its ${action.item}`
    case 'look':
      return `${cartOf(action)} is read`
    case 'discount':
      return `${cartOf(action)} gets ${action.code === '' ? 'no code' : `the code ${action.code}`}`
    case 'check out':
      return `${cartOf(action)} is checked out${action.hasKey ? ' with the key of this cart' : ''}`
    case 'sign in':
      return `buyer ${action.buyer} signs in on the phone, and its cart is merged`
    case 'sign out':
      return `buyer ${action.buyer} uses a new browser on the phone, signed out`
    case 'press':
      return `${action.button} is pressed on ${newest('page', action.page)}`
    case 'webhook':
      return `the provider reports ${action.payment === 'same' ? 'the' : 'another'} payment of ${newest('page', action.page)}`
    case 'expire':
      return `${newest('page', action.page)} expires${action.isAtProvider ? '' : ', but not at the provider'}`
    case 'cancel':
      return `the merchant cancels ${newest('order', action.order)}`
    case 'fulfill':
      return `the merchant fulfills ${newest('order', action.order)}`
    case 'mark paid':
      return `the merchant marks ${newest('order', action.order)} as paid`
    case 'refund':
      return `the merchant refunds ${action.part} of ${newest('order', action.order)}${action.restock ? ' and restocks' : ''}${action.hasKey ? ' with one key' : ''}`
    case 'stock':
      break
  }
  return `the merchant changes the stock of ${action.item} by ${action.delta} (operation ${action.operation})`
}

const cartOf = ({ buyer, at }: { buyer: number; at: Device }) => `the cart of buyer ${buyer} at ${at}`
const newest = (what: string, back: number) => (back === 0 ? `the newest ${what}` : `${what} ${back} before the newest`)

/** A step in words: one action, or concurrent actions with their delays. */
export function stepInWords(step: Step): string {
  const [only, ...others] = step
  if (only && others.length === 0) return inWords(only.action)
  return `at once: ${step.map(({ action, afterMs }) => `[+${afterMs} ms] ${inWords(action)}`).join('; ')}`
}

const item = fc.constantFrom(...ITEMS)
const at = fc.constantFrom<Device>('phone', 'home')
const back = fc.nat({ max: 2 })
const quantity = fc.integer({ min: 1, max: 3 })

/** Actions of one buyer. */
function cartActions(buyer: Arbitrary<number>): Arbitrary<Action> {
  return fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constant('add'), buyer, at, item, quantity, isSentTwice: rarely() }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('change'), buyer, at, item, quantity }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove'), buyer, at, item }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('look'), buyer, at }) },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('discount'), buyer, at, code: fc.constantFrom(...CODES, '') }),
    },
    { weight: 6, arbitrary: fc.record({ kind: fc.constant('check out'), buyer, at, hasKey: rarely() }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('sign in'), buyer }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('sign out'), buyer }) },
  )
}

const pageActions: Arbitrary<Action> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('press'),
      page: back,
      button: fc.constantFrom('pay', 'pay', 'pay', 'decline', 'cancel'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('webhook'), page: back, payment: fc.constantFrom('same', 'other') }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('expire'), page: back, isAtProvider: fc.boolean() }) },
)

const merchantActions: Arbitrary<Action> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('cancel'), order: back }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('fulfill'), order: back }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('mark paid'), order: back }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('refund'),
      order: back,
      part: fc.constantFrom('rest', 'half', 'too much'),
      restock: fc.boolean(),
      hasKey: rarely(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('stock'),
      item,
      delta: fc.constantFrom(1, 2, -1, -2),
      operation: fc.nat({ max: 2 }),
    }),
  },
)

function rarely(): Arbitrary<boolean> {
  return fc.nat({ max: 3 }).map((number) => number === 3)
}

const anyAction = (isPaged: boolean, buyer: Arbitrary<number>) =>
  fc.oneof(
    { weight: 8, arbitrary: cartActions(buyer) },
    { weight: isPaged ? 3 : 0, arbitrary: pageActions },
    { weight: 3, arbitrary: merchantActions },
  )

/** A buyer in a hurry with two devices: requests that fall within some milliseconds while a cart is merged. */
function rush(buyer: Arbitrary<number>): Arbitrary<Action> {
  return fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('check out'), buyer, at, hasKey: rarely() }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('sign in'), buyer }) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('add'), buyer, at, item, quantity, isSentTwice: fc.constant(false) }),
    },
  )
}

const anyBuyer = fc.nat({ max: BUYERS - 1 })

function group(action: Arbitrary<Action>): Arbitrary<Step> {
  return fc.array(fc.record({ action, afterMs: fc.nat({ max: LONGEST_DELAY_MS }) }), {
    // A group of one action is the shortest form of a group.
    minLength: 1,
    maxLength: MAX_AT_ONCE,
    size: 'max',
  })
}

/**
 * The steps of a run: one action alone, or two to four at once. Most groups are of one buyer, because the carts of one
 * buyer compete only with each other.
 * @param isPaged whether checkouts lead to a page of the payment provider
 */
export function steps(isPaged: boolean): Arbitrary<Step>[] {
  const alone = anyAction(isPaged, anyBuyer).map((action): Step => [{ action, afterMs: 0 }])
  const filling = fc
    .record({ kind: fc.constant('add' as const), buyer: anyBuyer, at, item, quantity, isSentTwice: fc.constant(false) })
    .map((action): Step => [{ action, afterMs: 0 }])
  const ofOne = Array.from({ length: BUYERS }, (_none, buyer) => fc.constant(buyer)).flatMap((buyer) => [
    group(anyAction(isPaged, buyer)),
    group(rush(buyer)),
  ])
  return [filling, filling, filling, alone, alone, ...ofOne, group(anyAction(isPaged, anyBuyer))]
}
