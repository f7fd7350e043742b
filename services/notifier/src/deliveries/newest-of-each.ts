import type { ReceivedEvent } from '@storefront/contracts'
import type { WebhookContent } from './webhook-contents.ts'

export interface DescribedEvent {
  received: Pick<ReceivedEvent<unknown>, 'id' | 'name' | 'at'>
  content: WebhookContent
  /** How many older events of the same batch it replaces. */
  mergedEvents?: number
}

/** Keeps the newest event on each subject, of events that may merge. */
export function newestOfEach(all: DescribedEvent[]): DescribedEvent[] {
  const kept: DescribedEvent[] = []
  const places = new Map<string, number>()
  for (const item of all) {
    const { mergeable, version = 0 } = item.content
    const subject = subjectOf(item)
    const place = mergeable === true ? places.get(subject) : undefined
    const known = place === undefined ? undefined : kept[place]
    if (place === undefined || known === undefined) {
      places.set(subject, kept.push(item) - 1)
      continue
    }
    const newest = version >= (known.content.version ?? 0) ? item : known
    kept[place] = { ...newest, mergedEvents: (known.mergedEvents ?? 0) + 1 }
  }
  return kept
}

export function subjectOf({ received, content }: DescribedEvent): string {
  return content.subject ?? `event:${received.id}`
}
