import { bitsFor, clearBit, countCommon, forEachBit, hasBit, setBit, unite, type Bits } from './bits.ts'

/** Up to this size a set is a sorted array, whatever bits would take. */
const FEW = 512

/** A set of items by their ordinals: a sorted array, or bits where those are smaller. Most terms are on few items. */
export class OrdinalSet {
  #few: Uint32Array | undefined = new Uint32Array(4)
  #bits: Bits | undefined
  #size = 0

  /** @param ordinals each once, ascending */
  static of(ordinals: readonly number[]): OrdinalSet {
    const set = new OrdinalSet()
    set.#few = Uint32Array.from(ordinals)
    set.#size = ordinals.length
    const highest = ordinals.at(-1) ?? 0
    if (set.#isBetterAsBits(highest)) set.#turnIntoBits(highest)
    return set
  }

  get size(): number {
    return this.#size
  }

  get bytes(): number {
    return this.#bits?.byteLength ?? this.#few?.byteLength ?? 0
  }

  has(ordinal: number): boolean {
    if (this.#bits) return hasBit(this.#bits, ordinal)
    const place = this.#placeOf(ordinal)
    return place < this.#size && this.#few?.[place] === ordinal
  }

  add(ordinal: number): void {
    if (this.#bits) {
      if (hasBit(this.#bits, ordinal)) return
      this.#bits = withRoomFor(this.#bits, ordinal)
      setBit(this.#bits, ordinal)
      this.#size++
      return
    }
    const place = this.#placeOf(ordinal)
    if (place < this.#size && this.#few?.[place] === ordinal) return
    if (this.#isBetterAsBits(ordinal)) {
      this.#turnIntoBits(ordinal)
      this.add(ordinal)
      return
    }
    const few = this.#roomForOneMore()
    few.copyWithin(place + 1, place, this.#size)
    few[place] = ordinal
    this.#size++
  }

  delete(ordinal: number): void {
    if (!this.has(ordinal)) return
    this.#size--
    if (this.#bits) clearBit(this.#bits, ordinal)
    else {
      const place = this.#placeOf(ordinal)
      this.#few?.copyWithin(place, place + 1, this.#size + 1)
    }
  }

  forEach(visit: (ordinal: number) => void): void {
    if (this.#bits) forEachBit(this.#bits, visit)
    else for (let place = 0; place < this.#size; place++) visit(this.#few?.[place] ?? 0)
  }

  /** Adds all of it to bits that are long enough. */
  uniteInto(bits: Bits): void {
    if (this.#bits) unite(bits, this.#bits)
    else this.forEach((ordinal) => setBit(bits, ordinal))
  }

  /** How many of its members are among these bits. */
  countIn(bits: Bits): number {
    if (this.#bits) return countCommon(this.#bits, bits)
    let count = 0
    for (let place = 0; place < this.#size; place++) if (hasBit(bits, this.#few?.[place] ?? 0)) count++
    return count
  }

  #isBetterAsBits(highest: number): boolean {
    return this.#size > FEW && this.#size * 32 > Math.max(highest, this.#few?.[this.#size - 1] ?? 0)
  }

  /** The position of an ordinal in the sorted array, or where it would be. */
  #placeOf(ordinal: number): number {
    const few = this.#few
    // Ordinals are mostly given in their order.
    if (!few || this.#size === 0 || (few[this.#size - 1] ?? 0) < ordinal) return this.#size
    let [low, high] = [0, this.#size]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((few[middle] ?? 0) < ordinal) low = middle + 1
      else high = middle
    }
    return low
  }

  #roomForOneMore(): Uint32Array {
    const few = this.#few ?? new Uint32Array(4)
    if (this.#size < few.length) return few
    const larger = new Uint32Array(Math.max(4, few.length * 2))
    larger.set(few)
    this.#few = larger
    return larger
  }

  #turnIntoBits(highest: number): void {
    const bits = withRoomFor(bitsFor(0), Math.max(highest, this.#few?.[this.#size - 1] ?? 0))
    this.uniteInto(bits)
    this.#bits = bits
    this.#few = undefined
  }
}

function withRoomFor(bits: Bits, ordinal: number): Bits {
  if (ordinal < bits.length * 32) return bits
  const larger = bitsFor(Math.ceil((ordinal + 1) * 1.25))
  larger.set(bits)
  return larger
}
