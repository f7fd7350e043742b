import { Tooltip } from '@mantine/core'
import i18next from 'i18next'
import type { ReactNode } from 'react'

const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

function relative(at: Date): string {
  const seconds = (at.getTime() - Date.now()) / 1000
  const format = new Intl.RelativeTimeFormat(i18next.language, { numeric: 'auto' })
  for (const [unit, size] of UNITS) {
    if (Math.abs(seconds) >= size) return format.format(Math.round(seconds / size), unit)
  }
  return format.format(0, 'second')
}

/** Long ago as people say it, and exactly when the pointer rests on it. */
export function RelativeTime({ at }: { at: string }): ReactNode {
  const time = new Date(at)
  const exact = new Intl.DateTimeFormat(i18next.language, { dateStyle: 'full', timeStyle: 'medium' }).format(time)
  return (
    <Tooltip label={exact}>
      <time dateTime={at}>{relative(time)}</time>
    </Tooltip>
  )
}

/** A date without a time of day. */
export function formatDate(at: string): string {
  return new Intl.DateTimeFormat(i18next.language, { dateStyle: 'medium' }).format(new Date(at))
}

/** A day as a filter holds it, such as 2026-11-21, where the person is. */
export function formatDay(day: string): string {
  const at = new Date(`${day}T00:00`)
  return Number.isNaN(at.getTime()) ? day : formatDate(at.toISOString())
}
