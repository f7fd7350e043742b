import { Tooltip } from '@mantine/core'
import { useState, useSyncExternalStore, type ReactNode } from 'react'
import { ofLanguage } from './formats.ts'
import { relativeText } from './relative-text.ts'

const exactFormat = ofLanguage(
  (language) => new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'medium' }),
)
const dateFormat = ofLanguage((language) => new Intl.DateTimeFormat(language, { dateStyle: 'medium' }))

const MINUTE_MS = 60_000

function everyMinute(tell: () => void): () => void {
  const timer = setInterval(tell, MINUTE_MS)
  return () => clearInterval(timer)
}

/** A time as people say it, such as “3 hours ago”; the exact time appears while the pointer rests on it. */
export function RelativeTime({ at }: { at: string }): ReactNode {
  // The tooltip is made when a pointer first enters: a list has fifty times.
  const [pointed, setPointed] = useState<HTMLElement>()
  const time = new Date(at)
  // A list that does not change is not drawn again, and would still say “2 minutes ago” in an hour.
  const text = useSyncExternalStore(everyMinute, () => relativeText(time.getTime(), Date.now()))
  return (
    <>
      <time dateTime={at} onMouseEnter={({ currentTarget }) => setPointed(currentTarget)}>
        {text}
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
