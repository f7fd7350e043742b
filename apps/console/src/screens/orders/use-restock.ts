import type { Units } from '@storefront/contracts/refunded-units'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { shopSettingsQuery } from '../../shop-settings.ts'
import { isOpen } from './order-steps.ts'
import type { Order } from './orders-queries.ts'
import { refundableUnits } from './refund-amount.ts'
import type { WantedRefund } from './use-refund.ts'

export type Restock = ReturnType<typeof useRestock>

/** Which goods of a refund return to the stock: all or none, except lines for which a person chose otherwise. */
export function useRestock(order: Order, units: readonly Units[], isFull: boolean) {
  const settings = useQuery(shopSettingsQuery).data
  const [chosen, setChosen] = useState<boolean>()
  const [chosenOf, setChosenOf] = useState<Readonly<Record<string, boolean>>>({})

  const general = chosen ?? settings?.checkout?.restockOnRefund ?? true
  const ofLine = (lineId: string): boolean => chosenOf[lineId] ?? general
  const isReturned = order.refunds.some(({ restocked, lines }) => restocked && lines === undefined)
  const mayRestock = order.status !== 'cancelled' && !isReturned && (units.length > 0 || isFull)
  const hasOthers = units.length === 0 || (isFull && cancelsOthers(order, units))
  const choices = [...units.map(({ lineId }) => ofLine(lineId)), ...(hasOthers ? [general] : [])]
  return {
    /** Whether the units of a line return to the stock; undefined when this refund returns none. */
    ofLine: (lineId: string) => (mayRestock ? ofLine(lineId) : undefined),
    setLine: (lineId: string, restock: boolean) => setChosenOf({ ...chosenOf, [lineId]: restock }),
    /** The choice for all goods at once; undefined where the choices for single lines cover everything. */
    all: mayRestock && (hasOthers || units.length > 1) ? allOf(choices) : undefined,
    setAll: (restock: boolean) => {
      setChosen(restock)
      setChosenOf({})
    },
    wanted: (): Pick<WantedRefund, 'lines' | 'restock'> => ({
      ...(units.length > 0 && {
        lines: units.map((each) => ({ ...each, ...(mayRestock && { restock: ofLine(each.lineId) }) })),
      }),
      ...(mayRestock && { restock: hasOthers ? general : choices.includes(true) }),
    }),
  }
}

/** A full refund cancels an order that was not sent, which also returns the units that the refund does not name. */
function cancelsOthers(order: Order, units: readonly Units[]): boolean {
  if (!isOpen(order)) return false
  const named = new Map(units.map(({ lineId, quantity }) => [lineId, quantity]))
  return [...refundableUnits(order)].some(([lineId, left]) => left > (named.get(lineId) ?? 0))
}

function allOf(choices: readonly boolean[]): 'yes' | 'no' | 'mixed' {
  if (!choices.includes(true)) return 'no'
  return choices.includes(false) ? 'mixed' : 'yes'
}
