import { z } from 'zod'
import type { App } from '@storefront/chassis'
import { clampedInteger, Timestamp } from '@storefront/contracts'
import { MailKind } from '@storefront/mail-templates'
import type { Database } from '../database.ts'
import { listMails, type ListedMail } from './mail-log.queries.ts'

const Status = z.enum(['queued', 'connecting', 'handed-over', 'sent', 'failed', 'uncertain', 'dropped'])

const Mail = z
  .object({
    id: z.string(),
    kind: z.string(),
    to: z.string().nullable(),
    reference: z.string(),
    status: Status,
    attempts: z.int(),
    answer: z.string().nullable(),
    bounced: z.boolean(),
    test: z.boolean(),
    nextAttemptAt: Timestamp.nullable(),
    at: Timestamp,
    settledAt: Timestamp.nullable(),
  })
  .meta({ id: 'Mail' })

/** Which mails went out and what the mail server said, newest first. */
export function listMailsRoute(app: App, { db }: { db: Database }): void {
  app.get('/admin/notifications', {
    config: { access: { admin: 'orders:read' } },
    schema: {
      tags: ['Admin: notifications'],
      summary: 'The log of mails',
      description:
        '`reference` is the number of the order, or of what else the mail is about. `answer` is what the mail server ' +
        'said last, or why it was not asked; `bounced` means that nobody has the address. Addresses and answers are ' +
        'forgotten after 30 days.',
      querystring: z.object({
        status: Status.optional(),
        kind: MailKind.optional(),
        bounced: z.enum(['true', 'false']).optional(),
        to: z.string().trim().max(320).optional(),
        order: z.string().trim().max(200).optional(),
        page: clampedInteger({ default: 1, min: 1, max: 100_000 }),
        per_page: clampedInteger({ default: 25, min: 1, max: 100 }),
      }),
      response: { 200: z.object({ items: z.array(Mail), total: z.int(), page: z.int(), perPage: z.int() }) },
    },
    handler: async ({ query: { status, kind, bounced, to, order, page, per_page: perPage } }) => {
      const { rows, total } = await listMails(
        db,
        {
          phase: status,
          kind,
          bounced: bounced === undefined ? undefined : bounced === 'true',
          recipient: to || undefined,
          reference: order || undefined,
        },
        { limit: perPage, offset: (page - 1) * perPage },
      )
      return { items: rows.map(show), total, page, perPage }
    },
  })
}

function show(row: ListedMail): z.output<typeof Mail> {
  return {
    id: row.id,
    kind: row.kind,
    to: row.recipient || null,
    reference: row.reference,
    status: row.phase,
    attempts: row.attempts,
    answer: row.answer,
    bounced: row.bounced,
    test: row.test,
    nextAttemptAt: row.phase === 'queued' ? row.next_attempt_at.toISOString() : null,
    at: row.event_at.toISOString(),
    settledAt: row.settled_at?.toISOString() ?? null,
  }
}
