import { CODES, ITEMS, type Code, type Item } from './actions.ts'
import { type History } from './history.ts'
import type { Ledger, OrderRow } from './ledger.queries.ts'

/** The data that belongs to one run alone, so that runs do not disturb one another. */
export interface Goods {
  variants: Record<Item, string>
  /** The units at the start. */
  units: Record<Item, number>
  codes: Record<Code, string>
}

export interface Violation {
  message: string
  /** Whether an event that is not processed yet may correct it. */
  isTemporary: boolean
}

const never = (message: string): Violation => ({ message, isTemporary: false })
const notYet = (message: string): Violation => ({ message, isTemporary: true })
const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)
const unitsOf = (lines: readonly { variantId: string; quantity: number }[], variantId: string) =>
  sum(lines.filter((line) => line.variantId === variantId).map(({ quantity }) => quantity))

/**
 * Compares the actions of a run with the records of the services. @returns the violations, none when every invariant
 * holds
 */
export function violations(history: History, goods: Goods, ledger: Ledger): Violation[] {
  return [
    ...unitsAreKept(history, goods, ledger),
    ...goodsAreSoldOnce(history, goods, ledger),
    ...ordersAddUp(history, ledger),
    ...goodsReturnOnce(history, ledger),
    ...moneyIsKept(history, ledger),
    ...refundsAreKept(history, ledger),
    ...codesAreKept(goods, ledger),
    ...everythingHasEnded(ledger),
  ]
}

/** Every unit of the stock is sold or left: the stock of catalog must match the orders of orders. */
function unitsAreKept({ stocked }: History, { variants, units }: Goods, { stock, orders }: Ledger): Violation[] {
  return ITEMS.flatMap((item) => {
    const variantId = variants[item]
    const found = stock.find((each) => each.variantId === variantId)
    if (!found) return [never(`${item}: there is no stock`)]
    const sold = sum(
      orders.filter((order) => order.hasGoods && !order.isRestocked).map(({ lines }) => unitsOf(lines, variantId)),
    )
    const expected = units[item] + stocked[item] - sold
    return [
      ...(found.onHand === expected
        ? []
        : [
            notYet(
              `${item}: ${found.onHand} are on hand, but ${units[item]} at the start ${signed(stocked[item])} by the merchant - ${sold} in orders are ${expected}`,
            ),
          ]),
      ...(found.reserved === 0 ? [] : [notYet(`${item}: ${found.reserved} are still reserved`)]),
    ]
  })
}

const signed = (number: number) => (number < 0 ? `- ${-number}` : `+ ${number}`)

/** A unit that was put into a cart is sold once, or stays in one cart. */
function goodsAreSoldOnce({ put }: History, { variants }: Goods, { orders, cartLines }: Ledger): Violation[] {
  const units = ITEMS.flatMap((item) => {
    const ordered = orders.map(({ number, lines }) => ({ number, units: unitsOf(lines, variants[item]) }))
    const inOrders = sum(ordered.map((each) => each.units))
    const inCarts = unitsOf(cartLines, variants[item])
    const where = ordered.filter((each) => each.units > 0).map((each) => `${each.units} in order ${each.number}`)
    if (inOrders > put[item])
      return [never(`${item}: ${inOrders} were sold, but ${put[item]} were put into carts (${where.join(', ')})`)]
    if (inOrders + inCarts > put[item])
      return [
        notYet(
          `${item}: ${inOrders} were sold and ${inCarts} still wait in carts, but ${put[item]} were put into carts (${where.join(', ')})`,
        ),
      ]
    return []
  })
  const owners = new Map<string, string>()
  const twice = orders.flatMap(({ number, lines }) =>
    lines.flatMap(({ id }) => {
      const other = owners.get(id)
      owners.set(id, number)
      return other === undefined ? [] : [never(`line ${id} is in the orders ${other} and ${number}`)]
    }),
  )
  return [...units, ...twice]
}

function ordersAddUp({ orderIds }: History, { orders }: Ledger): Violation[] {
  const carts = new Set<string>()
  return [
    ...orders.flatMap((order) => {
      const [subtotal, discount, shipping, tax, total] = order.amounts
      const isSecond = carts.has(order.cartId)
      carts.add(order.cartId)
      return [
        ...(isSecond ? [never(`cart ${order.cartId} has two orders`)] : []),
        ...(sum(order.lines.map(({ lineTotal }) => lineTotal)) === subtotal &&
        subtotal - discount + shipping + tax === total
          ? []
          : [never(`the amounts of order ${order.number} do not add up: ${order.amounts.join(', ')}`)]),
      ]
    }),
    ...orderIds
      .filter((id) => !orders.some((order) => order.id === id))
      .map((id) => never(`order ${id} was confirmed to its buyer and does not exist`)),
  ]
}

function goodsReturnOnce({ keptGoods }: History, { orders }: Ledger): Violation[] {
  return orders.flatMap((order) => {
    const { id, number, status, hasGoods, isRestocked, refundedMinor } = order
    if (status === 'cancelled' && hasGoods && !isRestocked && !keptGoods.has(id))
      return [never(`order ${number} is canceled, and its goods were not restocked`)]
    if (isRestocked && status !== 'cancelled' && refundedMinor === 0)
      return [never(`the goods of order ${number} were restocked, but it is ${status} and nothing was refunded`)]
    return []
  })
}

/** A payment belongs to one order, or is returned whole. */
function moneyIsKept({ reported }: History, ledger: Ledger): Violation[] {
  const { orders, payments, paidAtProvider, refunds, returnedByProvider } = ledger
  const captured = payments.filter(({ status }) => status === 'captured')
  const made = [...paidAtProvider, ...[...reported].map(([reference, { amountMinor }]) => ({ reference, amountMinor }))]
  const lost = made
    .filter(({ reference }) => !captured.some((payment) => payment.reference === reference))
    .map(({ reference, amountMinor }) => notYet(`the payment ${reference} of ${amountMinor} is not recorded`))
  const misassigned = captured.flatMap(({ reference, orderId, amountMinor }) => {
    const order = orders.find(({ id }) => id === orderId)
    if (!order) return [notYet(`the payment ${reference} belongs to no order`)]
    const returned = sum(
      returnedByProvider.filter((each) => each.paymentReference === reference).map((each) => each.amountMinor),
    )
    if (returned > amountMinor)
      return [never(`of the payment ${reference} of ${amountMinor} the provider has returned ${returned}`)]
    const recorded = sum(
      refunds
        .filter((each) => each.paymentReference === reference && each.status === 'succeeded')
        .map((each) => each.amountMinor),
    )
    if (order.provider === 'demo' && recorded !== returned)
      return [
        notYet(`of the payment ${reference} ${recorded} were recorded as returned, and ${returned} were returned`),
      ]
    if (order.paymentReference === reference) return []
    return returned === amountMinor
      ? []
      : [notYet(`of ${amountMinor}, paid beside the payment of order ${order.number}, ${returned} were returned`)]
  })
  return [...lost, ...misassigned, ...orders.flatMap((order) => faultsOfMoney(order))]
}

function faultsOfMoney(order: OrderRow): Violation[] {
  const { number, status, capturedMinor, refundedMinor, attention, amounts } = order
  const total = amounts[4]
  const faults: Violation[] = []
  if (refundedMinor > capturedMinor)
    faults.push(never(`order ${number}: ${capturedMinor} were captured, and ${refundedMinor} were refunded`))
  if (capturedMinor > 0 && capturedMinor !== total)
    faults.push(never(`order ${number} costs ${total}, and ${capturedMinor} were captured`))
  if (status === 'paid' && capturedMinor !== total) faults.push(never(`order ${number} is paid without its money`))
  if (status === 'placed' && capturedMinor > 0 && attention === null)
    faults.push(never(`order ${number} has its money and is not paid`))
  if (status === 'cancelled' && capturedMinor > refundedMinor && attention !== 'refund_due')
    faults.push(notYet(`order ${number} is canceled, and keeps ${capturedMinor - refundedMinor} without notice`))
  return faults
}

/** Each accepted refund is recorded once, and no other refund is. */
function refundsAreKept({ refunded, unknownRefunds }: History, { orders, refunds }: Ledger): Violation[] {
  return orders.flatMap(({ id, number, refundedMinor, capturedMinor }) => {
    const own = refunds.filter(({ orderId, isOfDuplicate }) => orderId === id && !isOfDuplicate)
    const gone = sum(own.filter(({ status }) => status === 'succeeded').map(({ amountMinor }) => amountMinor))
    const requested = own.filter(({ reason }) => reason === REFUND_REASON).length
    const accepted = refunded.get(id)?.size ?? 0
    const faults: Violation[] = []
    if (gone > capturedMinor)
      faults.push(never(`order ${number}: the refunds are ${gone}, and ${capturedMinor} were captured`))
    if (gone !== refundedMinor)
      faults.push(never(`order ${number} records ${refundedMinor} as refunded, and its refunds are ${gone}`))
    if (requested < accepted || (requested > accepted && !unknownRefunds.has(id)))
      faults.push(never(`order ${number} has ${requested} refunds, and ${accepted} were accepted`))
    return faults
  })
}

/** The reason that marks the refunds of the merchant. */
export const REFUND_REASON = 'model'

function codesAreKept({ codes: names }: Goods, { codes, redemptions, orders }: Ledger): Violation[] {
  return CODES.flatMap((kind) => {
    const code = codes.find((each) => each.code === names[kind])
    if (!code) return []
    const counting = redemptions.filter((each) => each.code === code.code && each.status !== 'released')
    const ids = new Set(redemptions.filter((each) => each.code === code.code).map(({ id }) => id))
    const standing = orders.filter(
      ({ discountClaim, status }) =>
        discountClaim !== null && status !== 'cancelled' && ids.has(redemptionOf(discountClaim)),
    )
    const faults: Violation[] = []
    const { used, usageLimit, perCustomerLimit } = code
    if (usageLimit !== null && (counting.length > usageLimit || standing.length > usageLimit))
      faults.push(
        never(`code ${kind}: ${counting.length} redemptions and ${standing.length} orders, and ${usageLimit} may be`),
      )
    for (const email of new Set(standing.map((order) => order.email))) {
      const own = standing.filter((order) => order.email === email).length
      if (perCustomerLimit !== null && own > perCustomerLimit)
        faults.push(never(`code ${kind}: ${own} orders of ${email}, and ${perCustomerLimit} may be`))
    }
    if (used !== counting.length)
      faults.push(notYet(`code ${kind} counts ${used}, and has ${counting.length} redemptions`))
    if (counting.length !== standing.length)
      faults.push(notYet(`code ${kind} has ${counting.length} redemptions and ${standing.length} orders`))
    return faults
  })
}

const redemptionOf = (claim: string) => claim.slice(0, claim.lastIndexOf('.'))

function everythingHasEnded({ sessions, refunds, redemptions, orders }: Ledger): Violation[] {
  return [
    ...sessions
      .filter(({ status }) => status === 'creating' || status === 'open')
      .map(({ id }) => notYet(`the checkout ${id} has not ended`)),
    ...refunds.filter(({ status }) => status === 'pending').map(({ id }) => notYet(`the refund ${id} has not ended`)),
    ...redemptions
      .filter(({ status }) => status === 'held')
      .map(({ code }) => notYet(`the code ${code} is held by a checkout`)),
    ...orders
      .filter((order) => order.status === 'placed' && order.provider === 'demo' && order.paymentStatus === 'pending')
      .map(({ number }) => notYet(`order ${number} waits for its payment`)),
  ]
}
