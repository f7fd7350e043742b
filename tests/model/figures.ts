const NAMES = [
  'runs',
  'commands',
  'requests',
  'orders',
  'payments',
  'pages left',
  'expiries',
  'merges',
  'cancellations',
  'refunds',
  'payments returned',
  'conflicts',
  'unavailable',
] as const
type Name = (typeof NAMES)[number]

/** Counts the actions of the runs so far. */
export class Figures {
  readonly #counts = new Map<Name, number>(NAMES.map((name) => [name, 0]))
  readonly #startedMs = performance.now()

  count(name: Name, by = 1): void {
    this.#counts.set(name, this.of(name) + by)
  }

  of(name: Name): number {
    return this.#counts.get(name) ?? 0
  }

  /** All counts in one line. */
  line(): string {
    return NAMES.map((name) => `${name} ${this.of(name)}`).join(', ')
  }

  /** A table in Markdown, with the rate per minute. */
  table(): string {
    const minutes = (performance.now() - this.#startedMs) / 60_000
    const rows = NAMES.map((name) => `| ${name} | ${this.of(name)} | ${(this.of(name) / minutes).toFixed(1)} |`)
    return [`| in ${minutes.toFixed(1)} minutes | number | a minute |`, '| --- | --- | --- |', ...rows].join('\n')
  }
}
