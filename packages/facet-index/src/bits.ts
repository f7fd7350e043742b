/** A set of ordinals, one bit each. Ordinals beyond its end are not in it. */
export type Bits = Uint32Array

export function bitsFor(capacity: number): Bits {
  return new Uint32Array(Math.ceil(capacity / 32))
}

export function hasBit(bits: Bits, ordinal: number): boolean {
  return (((bits[ordinal >>> 5] ?? 0) >>> (ordinal & 31)) & 1) === 1
}

export function setBit(bits: Bits, ordinal: number): void {
  bits[ordinal >>> 5] = (bits[ordinal >>> 5] ?? 0) | (1 << (ordinal & 31))
}

export function clearBit(bits: Bits, ordinal: number): void {
  bits[ordinal >>> 5] = (bits[ordinal >>> 5] ?? 0) & ~(1 << (ordinal & 31))
}

/** Keeps in `bits` only those that `others` hold too. */
export function intersect(bits: Bits, others: Bits): void {
  for (let place = 0; place < bits.length; place++) bits[place] = (bits[place] ?? 0) & (others[place] ?? 0)
}

/** Adds to `bits` those that `others` hold; `bits` must be long enough. */
export function unite(bits: Bits, others: Bits): void {
  const end = Math.min(bits.length, others.length)
  for (let place = 0; place < end; place++) bits[place] = (bits[place] ?? 0) | (others[place] ?? 0)
}

/** Removes from `bits` those that `others` hold. */
export function subtract(bits: Bits, others: Bits): void {
  const end = Math.min(bits.length, others.length)
  for (let place = 0; place < end; place++) bits[place] = (bits[place] ?? 0) & ~(others[place] ?? 0)
}

export function countBits(bits: Bits): number {
  let count = 0
  for (let place = 0; place < bits.length; place++) count += ones(bits[place] ?? 0)
  return count
}

export function countCommon(bits: Bits, others: Bits): number {
  const end = Math.min(bits.length, others.length)
  let count = 0
  for (let place = 0; place < end; place++) count += ones((bits[place] ?? 0) & (others[place] ?? 0))
  return count
}

export function forEachBit(bits: Bits, visit: (ordinal: number) => void): void {
  for (let place = 0; place < bits.length; place++) {
    for (let left = bits[place] ?? 0; left !== 0; left &= left - 1) visit(place * 32 + 31 - Math.clz32(left & -left))
  }
}

/** Ones in 32 bits, counted side by side (Warren, "Hacker's Delight", section 5-1). */
function ones(bits: number): number {
  let pairs = bits - ((bits >>> 1) & 0x55555555)
  pairs = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((pairs + (pairs >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
