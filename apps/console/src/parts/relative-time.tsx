import { Tooltip } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { ofLanguage } from './formats.ts'

const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

const relativeFormat = ofLanguage((language) => new Intl.RelativeTimeFormat(language, { numeric: 'auto' }))
const exactFormat = ofLanguage(
  (language) => new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'medium' }),
)
const dateFormat = ofLanguage((language) => new Intl.DateTimeFormat(language, { dateStyle: 'medium' }))

function relative(at: Date): string {
  const seconds = (at.getTime() - Date.now()) / 1000
  for (const [unit, size] of UNITS) {
    if (Math.abs(seconds) >= size) return relativeFormat().format(Math.round(seconds / size), unit)
  }
  return relativeFormat().format(0, 'second')
}

/** A time as people say it, such as “3 hours ago”; the exact time appears while the pointer rests on it. */
export function RelativeTime({ at }: { at: string }): ReactNode {
  // The tooltip is made when a pointer first enters: a list has fifty times.
  const [pointed, setPointed] = useState<HTMLElement>()
  const time = new Date(at)
  return (
    <>
      <time dateTime={at} onMouseEnter={({ currentTarget }) => setPointed(currentTarget)}>
        {relative(time)}
      </time>
      {pointed && <Tooltip target={pointed} label={exactFormat().format(time)} defaultOpened />}
    </>
  )
}

/** A date without a time of day. */
export function formatDate(at: string): string {
  return dateFormat().format(new Date(at))
}

/** A day as a filter holds it, such as 2026-11-21, where the person is. */
export function formatDay(day: string): string {
  const at = new Date(`${day}T00:00`)
  return Number.isNaN(at.getTime()) ? day : formatDate(at.toISOString())
}
