import type { TFunction } from 'i18next'
import { member } from '../../parts/json.ts'
import { formatMoney } from '../../parts/money.ts'
import { ATTENTIONS } from './order-filters.ts'
import { moneyIn } from './order-steps.ts'
import type { Order, TimelineStep } from './orders-queries.ts'
import { providerName } from './provider-name.ts'

/** Kinds of entries whose sentence contains no values. */
const PLAIN = [
  'placed',
  'drafted',
  'paid',
  'fulfilled',
  'delivered',
  'cancelled',
  'attention_cleared',
  'note_deleted',
] as const
/** Kinds of entries about an amount. */
const OF_MONEY = ['payment_authorized', 'payment_captured', 'payment_failed', 'payment_duplicate'] as const
const REFUNDS = ['refund_requested', 'refund_succeeded', 'refund_failed'] as const

type Lines = Order['lines']
type Step = Pick<TimelineStep, 'detail' | 'label'> & { kind: string }

/** A timeline entry in the language of the person. A kind that the console does not know keeps the shop's sentence. */
export function sentenceOf({ kind, detail, label }: Step, t: TFunction, ordered: Lines): string {
  const plain = PLAIN.find((one) => one === kind)
  if (plain) return t(`orders.timeline.${plain}`)
  const money = moneyIn(detail, 'amount')
  const ofMoney = OF_MONEY.find((one) => one === kind)
  if (ofMoney && money) {
    const provider = providerName(textIn(detail, 'provider'), t)
    return t(`orders.timeline.${ofMoney}`, { amount: formatMoney(money), provider })
  }
  const refund = REFUNDS.find((one) => one === kind)
  if (refund && money) return refundSentence(refund, detail, formatMoney(money), t)
  if (kind === 'restocked') return restockedSentence(detail, t, ordered)
  if (kind === 'invoice') return t('orders.timeline.invoice', { number: textIn(detail, 'number') })
  if (kind === 'tags') return tagsSentence(detail, t)
  if (kind === 'parcel') return parcelSentence(detail, t)
  if (kind === 'tracking') return trackingSentence(detail, t)
  const attention = ATTENTIONS.find((one) => one === detail['attention'])
  if (kind === 'attention' && attention)
    return t('orders.timeline.attention', { reason: t(`orders.attention.${attention}`) })
  return label
}

function refundSentence(
  kind: (typeof REFUNDS)[number],
  detail: TimelineStep['detail'],
  amount: string,
  t: TFunction,
): string {
  const content = piecesIn(detail['lines'])
  return content === ''
    ? t(`orders.timeline.${kind}`, { amount })
    : t(`orders.timeline.ofPieces.${kind}`, { amount, content })
}

function restockedSentence(detail: TimelineStep['detail'], t: TFunction, ordered: Lines): string {
  const content = piecesIn(detail['lines'], ordered)
  return content === '' ? t('orders.timeline.restocked') : t('orders.timeline.ofPieces.restocked', { content })
}

function trackingSentence(detail: TimelineStep['detail'], t: TFunction): string {
  const parcel = trackingIn(detail)
  return parcel === '' ? t('orders.timeline.trackingRemoved') : t('orders.timeline.tracking', { parcel })
}

function parcelSentence(detail: TimelineStep['detail'], t: TFunction): string {
  const content = piecesIn(detail['lines'])
  const parcel = trackingIn(detail)
  return parcel === ''
    ? t('orders.timeline.parcel', { content })
    : t('orders.timeline.parcelTracked', { content, parcel })
}

function trackingIn(detail: TimelineStep['detail']): string {
  return [textIn(detail, 'carrier'), textIn(detail, 'code')].filter((part) => part !== '').join(' ')
}

function piecesIn(lines: unknown, ordered: Lines = []): string {
  const pieces = Array.isArray(lines) ? lines.map((line: unknown) => pieceIn(line, ordered)) : []
  return pieces.filter((piece) => piece !== '').join(', ')
}

/** Most entries have the titles of the goods; `restocked` at the end of an order has only their variants. */
function pieceIn(line: unknown, ordered: Lines): string {
  const quantity = member(line, 'quantity')
  const found = ordered.find(({ variantId }) => variantId === member(line, 'variantId'))
  const title = member(line, 'title') ?? found?.title
  return typeof quantity === 'number' && typeof title === 'string' ? `${quantity} × ${title}` : ''
}

function tagsSentence(detail: TimelineStep['detail'], t: TFunction): string {
  const added = tagsIn(detail['added'])
  const removed = tagsIn(detail['removed'])
  if (added === '' && removed === '') return t('orders.timeline.tagsSorted')
  return [
    added !== '' && t('orders.timeline.tagsAdded', { tags: added }),
    removed !== '' && t('orders.timeline.tagsRemoved', { tags: removed }),
  ]
    .filter((sentence) => sentence !== false)
    .join(' ')
}

function tagsIn(value: unknown): string {
  return Array.isArray(value) ? value.filter((tag) => typeof tag === 'string').join(', ') : ''
}

function textIn(detail: TimelineStep['detail'], name: string): string {
  const value = detail[name]
  return typeof value === 'string' ? value : ''
}
