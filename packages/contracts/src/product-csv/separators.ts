/** The first of those that give the header the most columns counts. */
const SEPARATORS = [',', ';', '\t'] as const
export type CsvSeparator = (typeof SEPARATORS)[number]

const QUOTE = '"'
const LINE_ENDS = ['\n', '\r']
const BYTE_ORDER_MARK = '\uFEFF'

/** Finds what separates the cells of a file in its header, which may come in parts. */
export class SeparatorFinder {
  readonly #counts = new Map<string, number>(SEPARATORS.map((each) => [each, 0]))
  #isQuoted = false
  #hasBegun = false

  /** @returns whether the header ends in this part; what follows it does not count */
  read(text: string): boolean {
    for (const each of text) {
      if (LINE_ENDS.includes(each) && !this.#isQuoted) {
        if (this.#hasBegun) return true
        continue
      }
      if (each === QUOTE) this.#isQuoted = !this.#isQuoted
      const count = this.#isQuoted ? undefined : this.#counts.get(each)
      if (count !== undefined) this.#counts.set(each, count + 1)
      if (each !== BYTE_ORDER_MARK) this.#hasBegun = true
    }
    return false
  }

  get separator(): CsvSeparator {
    const countOf = (each: CsvSeparator): number => this.#counts.get(each) ?? 0
    return SEPARATORS.reduce((best, each) => (countOf(each) > countOf(best) ? each : best))
  }
}

/** What separates the cells of a file, by its header. */
export function separatorOf(text: string): CsvSeparator {
  const finder = new SeparatorFinder()
  finder.read(text)
  return finder.separator
}
