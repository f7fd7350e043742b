import { describe, expect, test } from 'vitest'
import { History } from './history.ts'
import { REFUND_REASON, violations, type Goods } from './invariants.ts'
import type { Ledger, OrderRow } from './ledger.queries.ts'

const GOODS: Goods = {
  variants: { shirt: 'var_shirt', socks: 'var_socks' },
  units: { shirt: 4, socks: 40 },
  codes: { once: 'ONCE', each: 'EACH' },
}

/** A paid order of two shirts. */
function orderOf(more: Partial<OrderRow> = {}): OrderRow {
  return {
    id: 'ord_1',
    number: 'SF-1',
    cartId: 'cart_1',
    email: 'ada@example.com',
    status: 'paid',
    attention: null,
    capturedMinor: 9335,
    refundedMinor: 0,
    isRestocked: false,
    hasGoods: true,
    discountClaim: null,
    provider: 'demo',
    paymentStatus: 'captured',
    paymentReference: 'pay_1',
    lines: [{ id: 'line_1', variantId: 'var_shirt', quantity: 2, lineTotal: 8000 }],
    amounts: [8000, 0, 695, 640, 9335],
    ...more,
  }
}

const PAYMENT = { reference: 'pay_1', provider: 'demo', orderId: 'ord_1', status: 'captured', amountMinor: 9335 }
const REFUND = {
  id: 'ref_1',
  orderId: 'ord_1',
  paymentReference: 'pay_1',
  amountMinor: 9335,
  status: 'succeeded',
  isOfDuplicate: false,
  reason: REFUND_REASON,
}

/** The records of the services when that order is the only one. */
function ledgerOf(more: Partial<Ledger> = {}): Ledger {
  return {
    orders: [orderOf()],
    stock: [
      { variantId: 'var_shirt', onHand: 2, reserved: 0 },
      { variantId: 'var_socks', onHand: 40, reserved: 0 },
    ],
    cartLines: [],
    sessions: [],
    payments: [PAYMENT],
    paidAtProvider: [],
    refunds: [],
    returnedByProvider: [],
    codes: [
      { code: 'ONCE', used: 0, usageLimit: 1, perCustomerLimit: null },
      { code: 'EACH', used: 0, usageLimit: null, perCustomerLimit: 1 },
    ],
    redemptions: [],
    ...more,
  }
}

function historyOf(): History {
  const history = new History(['ada@example.com', 'eve@example.com'])
  history.put.shirt = 2
  history.noteOrder('ord_1')
  return history
}

const found = (ledger: Ledger, history = historyOf()) =>
  violations(history, GOODS, ledger).map(
    ({ message, isTemporary }) => `${isTemporary ? 'not yet' : 'never'}: ${message}`,
  )

test('an order with its goods and its money violates no invariant', () => {
  expect(found(ledgerOf())).toEqual([])
})

describe('an invariant is violated', () => {
  const second = orderOf({ id: 'ord_2', number: 'SF-2', cartId: 'cart_2', paymentReference: 'pay_2' })

  test.each<[string, Ledger, RegExp]>([
    [
      'when the goods of a cart are in two orders, with other ids of their lines',
      ledgerOf({
        orders: [
          orderOf(),
          {
            ...second,
            lines: [{ ...second.lines[0], id: 'line_2', variantId: 'var_shirt', quantity: 2, lineTotal: 8000 }],
          },
        ],
      }),
      /^never: shirt: 4 were sold, but 2 were put into carts \(2 in order SF-1, 2 in order SF-2\)/,
    ],
    [
      'when one line is in two orders',
      ledgerOf({ orders: [orderOf(), second] }),
      /^never: line line_1 is in the orders SF-1 and SF-2/,
    ],
    [
      'when a cart still has goods that were bought',
      ledgerOf({ cartLines: [{ cartId: 'cart_2', variantId: 'var_shirt', quantity: 2 }] }),
      /^not yet: shirt: 2 were sold and 2 still wait in carts, but 2 were put/,
    ],
    [
      'when one unit too many is on hand',
      ledgerOf({
        stock: [
          { variantId: 'var_shirt', onHand: 3, reserved: 0 },
          { variantId: 'var_socks', onHand: 40, reserved: 0 },
        ],
      }),
      /^not yet: shirt: 3 are on hand, but 4 at the start \+ 0 by the merchant - 2 in orders are 2/,
    ],
    [
      'when a reservation is left over',
      ledgerOf({
        stock: [
          { variantId: 'var_shirt', onHand: 2, reserved: 1 },
          { variantId: 'var_socks', onHand: 40, reserved: 0 },
        ],
      }),
      /^not yet: shirt: 1 are still reserved/,
    ],
    [
      'when a cart has two orders',
      ledgerOf({ orders: [orderOf(), orderOf({ id: 'ord_2' })] }),
      /^never: cart cart_1 has two orders/,
    ],
    ['when a confirmed order is missing', ledgerOf({ orders: [] }), /^never: order ord_1 was confirmed/],
    [
      'when the amounts of an order do not add up',
      ledgerOf({ orders: [orderOf({ amounts: [8000, 500, 695, 640, 9335] })] }),
      /^never: the amounts of order SF-1/,
    ],
    [
      'when the goods of a canceled order are not restocked',
      ledgerOf({ orders: [orderOf({ status: 'cancelled', attention: 'refund_due' })] }),
      /^never: order SF-1 is canceled, and its goods/,
    ],
    [
      'when a paid order has no payment',
      ledgerOf({ orders: [orderOf({ capturedMinor: 0, paymentReference: null })], payments: [] }),
      /^never: order SF-1 is paid without its money/,
    ],
    [
      'when a payment belongs to no order',
      ledgerOf({ payments: [PAYMENT, { ...PAYMENT, reference: 'pay_9', orderId: null }] }),
      /^not yet: the payment pay_9 belongs to no order/,
    ],
    [
      'when a second payment is not returned',
      ledgerOf({ payments: [PAYMENT, { ...PAYMENT, reference: 'pay_9' }] }),
      /^not yet: of 9335, paid beside the payment of order SF-1, 0 were returned/,
    ],
    [
      'when a payment of a buyer is not recorded',
      ledgerOf({ paidAtProvider: [{ reference: 'pay_9', amountMinor: 9335 }] }),
      /^not yet: the payment pay_9 of 9335 is not recorded/,
    ],
    [
      'when more is refunded than was captured',
      ledgerOf({
        orders: [orderOf({ refundedMinor: 18670 })],
        refunds: [REFUND, { ...REFUND, id: 'ref_2' }],
        returnedByProvider: [
          { id: 'ref_1', paymentReference: 'pay_1', amountMinor: 9335 },
          { id: 'ref_2', paymentReference: 'pay_1', amountMinor: 9335 },
        ],
      }),
      /never: order SF-1: 9335 were captured, and 18670 were refunded/,
    ],
    [
      'when a refund is recorded that was not confirmed to the merchant',
      ledgerOf({
        orders: [orderOf({ refundedMinor: 9335 })],
        refunds: [REFUND],
        returnedByProvider: [{ id: 'ref_1', paymentReference: 'pay_1', amountMinor: 9335 }],
      }),
      /^never: order SF-1 has 1 refunds, and 0 were accepted/,
    ],
    [
      'when an order does not record its refund',
      ledgerOf({
        refunds: [{ ...REFUND, reason: 'by itself' }],
        returnedByProvider: [{ id: 'ref_1', paymentReference: 'pay_1', amountMinor: 9335 }],
      }),
      /^never: order SF-1 records 0 as refunded, and its refunds are 9335/,
    ],
    [
      'when a code is redeemed too often',
      ledgerOf({
        codes: [{ code: 'ONCE', used: 2, usageLimit: 1, perCustomerLimit: null }],
        redemptions: [
          { id: 'use_1', code: 'ONCE', status: 'used' },
          { id: 'use_2', code: 'ONCE', status: 'used' },
        ],
      }),
      /^never: code once: 2 redemptions and 0 orders, and 1 may be/,
    ],
    [
      'when a code is redeemed without an order',
      ledgerOf({
        codes: [{ code: 'ONCE', used: 1, usageLimit: 1, perCustomerLimit: null }],
        redemptions: [{ id: 'use_1', code: 'ONCE', status: 'held' }],
      }),
      /^not yet: code once has 1 redemptions and 0 orders/,
    ],
    [
      'when a checkout has not ended',
      ledgerOf({ sessions: [{ id: 'pay_1', status: 'open', url: null }] }),
      /^not yet: the checkout pay_1 has not ended/,
    ],
  ])('%s', (_when, ledger, message) => {
    expect(found(ledger)).toContainEqual(expect.stringMatching(message))
  })

  test('when a customer redeems a code twice that is limited to one redemption', () => {
    const orders = [orderOf({ discountClaim: 'use_1.1' }), { ...second, discountClaim: 'use_2.1' }]
    const redemptions = ['use_1', 'use_2'].map((id) => ({ id, code: 'EACH', status: 'used' }))
    expect(found(ledgerOf({ orders, redemptions }))).toContainEqual(
      'never: code each: 2 orders of ada@example.com, and 1 may be',
    )
  })
})
