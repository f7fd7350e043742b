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
