import { z } from 'zod'
import { Money, NamedActor, Timestamp } from '@storefront/contracts'
import { labelOf } from './label.ts'
import type { RecordedStep } from './timeline.queries.ts'

export const TimelineStep = z
  .object({
    at: Timestamp.describe('When it happened, ISO 8601 in UTC.'),
    kind: z.string().describe('For programs, such as `payment_captured` or `refund_succeeded`; more kinds may come.'),
    label: z.string().describe('What happened, in a sentence.'),
    actor: z
      .string()
      .optional()
      .describe('Id of the admin user or of the secret key, unless it happened automatically.'),
    by: NamedActor.optional().describe('Name of the actor.'),
    detail: z
      .record(z.string(), z.unknown())
      .describe(
        'The details of this kind of entry, such as `amount` as Money, `carrier` and `code`, or `id` and `text` of a note; ' +
          'may be empty.',
      ),
  })
  .meta({ id: 'TimelineStep' })

/**
 * A timeline entry as a merchant sees it.
 * @param locale of the order, for amounts
 * @param nameOf names the actors
 */
export function shownStep(
  { at, kind, actor, detail }: RecordedStep,
  locale: string,
  nameOf: (id: string) => NamedActor,
): z.output<typeof TimelineStep> {
  return {
    at: at.toISOString(),
    kind,
    label: labelOf(kind, detail, locale),
    ...(actor !== null && { actor, by: nameOf(actor) }),
    detail: shownDetail(detail),
  }
}

/** An entry is stored with minor units beside their currency, and shown with Money. */
function shownDetail(detail: Record<string, unknown>): Record<string, unknown> {
  const amount = Money.safeParse(detail)
  if (!amount.success) return detail
  const { currency: _currency, ...others } = detail
  return { ...others, amount: amount.data }
}
