import { ofLanguage } from './formats.ts'

const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

// “1 day ago” and not “yesterday”, which 30 hours ago need not have been.
const countedFormat = ofLanguage((language) => new Intl.RelativeTimeFormat(language))
const nowFormat = ofLanguage((language) => new Intl.RelativeTimeFormat(language, { numeric: 'auto' }))

/** How far a time is from now, as people say it, such as “3 hours ago”. */
export function relativeText(at: number, now: number): string {
  const seconds = (at - now) / 1000
  for (const [unit, size] of UNITS) {
    if (Math.abs(seconds) >= size) return countedFormat().format(Math.round(seconds / size), unit)
  }
  return nowFormat().format(0, 'second')
}
