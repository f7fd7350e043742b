/** A number of each item, by its ordinal. */
export class NumberColumn<Item> {
  values = new Float64Array(1024)
  readonly valueOf: (item: Item) => number

  constructor(valueOf: (item: Item) => number) {
    this.valueOf = valueOf
  }

  set(ordinal: number, item: Item): void {
    if (ordinal >= this.values.length) {
      const larger = new Float64Array(Math.ceil(ordinal * 1.25) + 1)
      larger.set(this.values)
      this.values = larger
    }
    this.values[ordinal] = this.valueOf(item)
  }
}
