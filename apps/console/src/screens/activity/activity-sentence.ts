import { exists, type TFunction } from 'i18next'
import { sentenceOf } from '../orders/timeline-sentence.ts'
import type { ActivityEntry } from './activity-queries.ts'

/** Steps of an order whose sentence names what an entry leaves out when it is long. */
const NEED_LISTS: ReadonlySet<string> = new Set(['parcel', 'tracking', 'restocked', 'tags'])

/**
 * What an entry is about, in the language of the person.
 *
 * @returns undefined where the language has no sentence for it, and that of the shop is shown
 */
export function activitySentence(entry: ActivityEntry, t: TFunction): string | undefined {
  const { subject, action, outcome } = entry
  const name = subject.name ?? subject.id
  if (outcome !== undefined && outcome !== 'succeeded') {
    return sentence(`rejected.${action}`, { name, reason: sentence(`outcome.${outcome}`, {}, t) }, t)
  }
  const stock = entry.changes?.find(({ field }) => field === 'inventory')
  if (subject.kind === 'variant' && typeof stock?.before === 'number' && typeof stock.after === 'number') {
    return sentence('variant.inventory', { name, before: stock.before, after: stock.after }, t)
  }
  return sentence(`${subject.kind}.${action}`, { name }, t) ?? orderSentence(entry, t)
}

function sentence(
  key: `${string}.${string}`,
  values: Record<string, string | number | undefined>,
  t: TFunction,
): string | undefined {
  return exists(`activitySentences.${key}`) ? t(`activitySentences.${key}`, values) : undefined
}

/** As the order itself shows it. */
function orderSentence({ subject, action, changes = [] }: ActivityEntry, t: TFunction): string | undefined {
  if (subject.kind !== 'order' || NEED_LISTS.has(action)) return undefined
  const detail: Record<string, unknown> = Object.fromEntries(changes.map(({ field, after }) => [field, after]))
  const { amount, currency } = detail
  const text = sentenceOf({ kind: action, detail: { ...detail, amount: { amount, currency } }, label: '' }, t, [])
  return text === '' ? undefined : `${subject.name ?? subject.id}: ${text}`
}
