/** A time as a browser's input of date and time has it: in the time zone of the browser, to the second; empty for none. */
export function localTime(at: string | null | undefined): string {
  if (at === undefined || at === null) return ''
  const time = new Date(at)
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 19)
}

/** The inverse, as the shop takes it; null for none. */
export function utcTime(local: string): string | null {
  return local === '' ? null : new Date(local).toISOString()
}

/**
 * Whether this is a day as a browser's input of a date has it; an address can hold any text. While a person types the
 * year 2026, the input has the years 2, 20 and 202.
 */
export function isDay(text: string | undefined): text is string {
  return text !== undefined && /^[1-9]\d{3}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))
}

/**
 * @param day such as 2026-01-31, as a person of this time zone means it
 * @param later by this many days
 */
export function startOfDay(day: string, later = 0): string {
  const start = new Date(`${day}T00:00:00`)
  start.setDate(start.getDate() + later)
  return start.toISOString()
}
