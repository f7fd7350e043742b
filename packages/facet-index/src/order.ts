/** From this number on it is faster to scan the whole order once than to move each. */
const MANY = 16

type Compare = (one: number, other: number) => number

/** All items in one order, by their ordinals. */
export class Order {
  #ordinals = new Uint32Array(0)
  #size = 0
  readonly compare: Compare

  /** @param compare two ordinals, by the current sort values of their items; never 0 */
  constructor(compare: Compare) {
    this.compare = compare
  }

  get size(): number {
    return this.#size
  }

  at(place: number): number {
    return this.#ordinals[place] ?? 0
  }

  /** Removes items. Their sort values must still be the old ones. */
  remove(ordinals: readonly number[]): void {
    if (ordinals.length >= MANY) {
      const gone = new Set(ordinals)
      this.#ordinals = this.#ordinals.filter((ordinal, place) => place < this.#size && !gone.has(ordinal))
      this.#size = this.#ordinals.length
      return
    }
    for (const ordinal of ordinals) {
      const place = this.firstPlace((other) => this.compare(other, ordinal) >= 0)
      this.#ordinals.copyWithin(place, place + 1, this.#size)
      this.#size--
    }
  }

  /** Inserts items at their positions. */
  insert(ordinals: readonly number[]): void {
    if (ordinals.length >= MANY) {
      this.#merge(Uint32Array.from(ordinals).toSorted(this.compare))
      return
    }
    for (const ordinal of ordinals) {
      const place = this.firstPlace((other) => this.compare(other, ordinal) > 0)
      this.#makeRoom()
      this.#ordinals.copyWithin(place + 1, place, this.#size)
      this.#ordinals[place] = ordinal
      this.#size++
    }
  }

  /** The first position for which this holds, as it does for all after it; the size when there is none. */
  firstPlace(holds: (ordinal: number) => boolean): number {
    let [low, high] = [0, this.#size]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (holds(this.at(middle))) high = middle
      else low = middle + 1
    }
    return low
  }

  #merge(sorted: Uint32Array): void {
    const merged = new Uint32Array(this.#size + sorted.length)
    let [mine, theirs] = [0, 0]
    for (let place = 0; place < merged.length; place++) {
      const takesMine =
        theirs === sorted.length ||
        (mine < this.#size && this.compare(this.#ordinals[mine] ?? 0, sorted[theirs] ?? 0) < 0)
      merged[place] = takesMine ? (this.#ordinals[mine++] ?? 0) : (sorted[theirs++] ?? 0)
    }
    this.#ordinals = merged
    this.#size = merged.length
  }

  #makeRoom(): void {
    if (this.#size < this.#ordinals.length) return
    const larger = new Uint32Array(Math.max(64, Math.ceil(this.#size * 1.25)))
    larger.set(this.#ordinals)
    this.#ordinals = larger
  }
}
