import { createHash } from 'node:crypto'

/** A server gives out every sixteenth number, so that there may be sixteen servers without another change. */
export const NUMBER_STEP = 16

/** The server with a cart, its sessions and its order. */
export function serverOf(cartId: string, servers: number): number {
  return createHash('md5').update(cartId).digest().readUInt8(0) % servers
}

/** The same in SQL, of functions that `postgres_fdw` sends to the other server. */
export const serverInSql = (column: string, servers: number) =>
  `get_byte(decode(md5(${column}), 'hex'), 0) % ${servers}`

/** The server that gave out this number; undefined for a number from before the split, whose order may be on any. */
export function serverOfNumber(number: number, firstNumber: number): number | undefined {
  return number < firstNumber ? undefined : number % NUMBER_STEP
}

/** How far a number is behind the highest one before it, at most. @param numbers in the order of the placements */
export function furthestBehind(numbers: readonly number[]): number {
  let [highest, behind] = [0, 0]
  for (const number of numbers) {
    highest = Math.max(highest, number)
    behind = Math.max(behind, highest - number)
  }
  return behind
}

/** Where an order is in the merchant's list: what needs attention first, then the newest. */
export interface Position {
  flagged: boolean
  /** With all its digits, so that its text is sorted as its time is. */
  placedAt: string
  id: string
}

/** One page of a list of which each server has a part. */
export function mergePages<Row extends Position>(parts: readonly (readonly Row[])[], skip: number, limit: number) {
  const keyOf = ({ flagged, placedAt, id }: Position) => `${Number(flagged)} ${placedAt} ${id}`
  return parts
    .flat()
    .toSorted(latestFirst(keyOf))
    .slice(skip, skip + limit)
}

export interface DayCount {
  day: string
  flagged: boolean
  orders: number
}

/**
 * The days that a page far down the list is on, by the counts of all servers.
 * @returns them, and how many of their orders come before the page
 */
export function daysOfPage(counts: readonly DayCount[], skip: number, limit: number) {
  const keyOf = ({ flagged, day }: DayCount) => `${Number(flagged)} ${day}`
  const days: DayCount[] = []
  let [reached, before] = [0, 0]
  for (const same of Map.groupBy(counts.toSorted(latestFirst(keyOf)), keyOf).values()) {
    const orders = same.reduce((sum, count) => sum + count.orders, 0)
    reached += orders
    if (reached <= skip) before = reached
    else if (reached - orders < skip + limit) days.push(...same.slice(0, 1))
  }
  return { days, skip: skip - before }
}

function latestFirst<Item>(keyOf: (item: Item) => string) {
  return (one: Item, other: Item) => Number(keyOf(one) < keyOf(other)) - Number(keyOf(one) > keyOf(other))
}
