import type { z } from 'zod'
import type { ReserveInventory, Shortfall } from '@storefront/contracts'

type RequestBody = z.output<typeof ReserveInventory.request>
type Reply = z.output<typeof ReserveInventory.reply>

interface Hold {
  generation: number
  status: 'held' | 'released'
  lines: RequestBody['lines']
}

/** The stock of the simulated catalog, in memory and with catalog's rules: all lines or none, one claim per hold. */
export interface Stock {
  set(variantId: string, onHand: number): void
  available(variantId: string): number
  reserve(request: RequestBody): Reply
  /** @returns whether goods were released: only the claim of a current hold releases any */
  release(claim: string): boolean
  /** Claims that are held now. */
  held(): string[]
}

export function openStock(): Stock {
  const onHand = new Map<string, number>()
  const holds = new Map<string, Hold>()

  const available = (variantId: string): number => {
    const heldLines = [...holds.values()].filter(({ status }) => status === 'held').flatMap(({ lines }) => lines)
    const reserved = heldLines.filter((line) => line.variantId === variantId)
    return (onHand.get(variantId) ?? 0) - reserved.reduce((sum, { quantity }) => sum + quantity, 0)
  }

  return {
    set: (variantId, quantity) => void onHand.set(variantId, quantity),
    available,
    reserve({ reservationId, lines, ttlSeconds, unpaid }) {
      const before = holds.get(reservationId)
      const expiresAt = new Date(Date.now() + ttlSeconds * 1000).toISOString()
      const { percent, leastUnits } = unpaid?.perBuyer ?? { percent: 100, leastUnits: 1 }
      const perBuyer = lines.map(({ variantId }) => ({
        variantId,
        units: Math.max(leastUnits, Math.ceil(((onHand.get(variantId) ?? 0) * percent) / 100)),
      }))
      const replyFor = (generation: number): Reply => ({
        held: true,
        claim: `${reservationId}.${generation}`,
        expiresAt,
        ...(unpaid && { perBuyer }),
      })
      if (before?.status === 'held') return replyFor(before.generation)
      const shortfalls: Shortfall[] = lines.flatMap(({ variantId, quantity }) => {
        const left = available(variantId)
        return left >= quantity ? [] : [{ variantId, wanted: quantity, available: left }]
      })
      if (shortfalls.length > 0) return { held: false, shortfalls }
      const generation = (before?.generation ?? 0) + 1
      holds.set(reservationId, { generation, status: 'held', lines })
      return replyFor(generation)
    },
    release(claim) {
      const dot = claim.lastIndexOf('.')
      const hold = holds.get(claim.slice(0, dot))
      if (!hold || hold.status !== 'held' || hold.generation !== Number(claim.slice(dot + 1))) return false
      hold.status = 'released'
      return true
    },
    held: () =>
      [...holds].flatMap(([id, { status, generation }]) => (status === 'held' ? [`${id}.${generation}`] : [])),
  }
}
