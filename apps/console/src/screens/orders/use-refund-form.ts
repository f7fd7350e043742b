import { useState } from 'react'
import type { EnteredAmount } from '../../parts/money-input.tsx'
import type { Money } from '../../parts/money.ts'
import type { Order } from './orders-queries.ts'
import { amountOf, chosenUnits, everythingOf, NOTHING, type RefundChoice } from './refund-amount.ts'
import type { WantedRefund } from './use-refund.ts'
import { useRestock } from './use-restock.ts'

/** What a person enters for a refund. Its amount follows from the chosen units until another one is entered. */
export function useRefundForm(order: Order, left: Money) {
  const [choice, setChoice] = useState<RefundChoice>(order.status === 'cancelled' ? everythingOf(order) : NOTHING)
  const [entered, setEntered] = useState<{ amount: EnteredAmount }>()
  const [reason, setReason] = useState('')
  const [reference, setReference] = useState<string>()

  const units = chosenUnits(order, choice)
  const hasUnits = units.length > 0
  const calculated = amountOf(order, choice)
  const amount = entered ? entered.amount : Math.min(calculated, left.amount)
  const money = { ...left, amount: typeof amount === 'number' ? amount : 0 }
  const isFull = money.amount === left.amount
  const restock = useRestock(order, units, isFull)
  // Then the shop calculates it.
  const isOfUnits = hasUnits && !choice.shipping && !entered && calculated <= left.amount
  return {
    choice,
    choose: (next: RefundChoice) => {
      setChoice(next)
      setEntered(undefined)
    },
    amount,
    enterAmount: (next: EnteredAmount) => {
      if (next !== amount) setEntered({ amount: next })
    },
    money,
    isFull,
    hasUnits,
    reason,
    setReason,
    restock,
    /** Of a refund that was made at the provider already. */
    reference,
    setReference,
    wanted: (): WantedRefund => ({
      ...(!isOfUnits && { amount: money }),
      ...(reason.trim() !== '' && { reason: reason.trim() }),
      ...restock.wanted(),
      ...(reference !== undefined && { reference: reference.trim() }),
    }),
  }
}
