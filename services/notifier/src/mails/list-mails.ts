import { z } from 'zod'
import { optionalFilter, type App } from '@storefront/http'
import { readEmailAddress, Timestamp } from '@storefront/contracts'
import { MailKind } from '@storefront/mail-templates'
import type { Database } from '../database.ts'
import { COUNTED_BY_LOG, LogPageFields, LogPageQuery } from '../deliveries/log-page.ts'
import { listMails, type ListedMail } from './mail-log.queries.ts'

const Status = z.enum(['queued', 'connecting', 'handed-over', 'sent', 'failed', 'uncertain', 'dropped', 'withheld'])

const Mail = z
  .object({
    id: z.string().describe('For `POST /admin/notifications/{id}/resend`.'),
    kind: z.string().describe('Kind of mail, such as `orderPlaced`: its template has the same name.'),
    to: z.string().nullable().describe('The recipient; null once it has been deleted.'),
    reference: z.string().describe('Number of the order, or other subject of the mail; `test` for a test mail.'),
    status: Status.describe(
      '`sent`: a mail server accepted it. `uncertain`: it is not known whether one did. `dropped`: will not be sent. ' +
        '`withheld`: over a limit, and not sent unless you send it.',
    ),
    attempts: z.int().describe('Number of attempts since it was last queued by hand.'),
    answer: z
      .string()
      .nullable()
      .describe(
        'Last response of the mail server, why it was not reached, or why the mail is withheld; null before and once deleted.',
      ),
    bounced: z.boolean().describe('The mail server reported that the address does not exist.'),
    test: z.boolean().describe('Sent by `POST /admin/notifications/test`.'),
    nextAttemptAt: Timestamp.nullable().describe('When it is due, in UTC; null unless it is `queued`.'),
    at: Timestamp.describe('When the event of the mail happened, ISO 8601 in UTC.'),
    settledAt: Timestamp.nullable().describe('When it was sent, dropped or given up, in UTC; null before that.'),
  })
  .meta({ id: 'Mail' })

export function listMailsRoute(app: App, { db }: { db: Database }): void {
  app.get('/admin/notifications', {
    config: { access: { admin: 'orders:read' } },
    schema: {
      summary: 'The log of mails',
      description:
        "Newest first, with the mail server's response to each. Addresses and responses of mail servers are deleted 30 days " +
        `after a mail was settled. \`total\` counts up to ${COUNTED_BY_LOG}; pages go on beyond.`,
      querystring: z.object({
        status: optionalFilter(Status).describe('Status of the mail.'),
        kind: optionalFilter(MailKind).describe('Only mails of this kind.'),
        bounced: optionalFilter(z.enum(['true', 'false'])).describe('true for mails to addresses that do not exist.'),
        resendable: optionalFilter(z.literal('true')).describe('Only mails that can be sent again.'),
        to: z.string().trim().max(320).optional().describe('The whole address, in any spelling.'),
        order: z.string().trim().max(200).optional().describe('Number of an order, for the mails about it.'),
        ...LogPageQuery.shape,
      }),
      response: {
        200: z.object({
          items: z.array(Mail).describe('One page of the log, newest first.'),
          total: z.int().describe(`How many match; ${COUNTED_BY_LOG} stands for that many or more.`),
          ...LogPageFields.shape,
        }),
      },
    },
    handler: async ({ query: { status, kind, bounced, resendable, to, order, page, per_page: perPage } }) => {
      const { rows, total } = await listMails(
        db,
        {
          phase: status,
          kind,
          bounced: bounced === undefined ? undefined : bounced === 'true',
          resendable: resendable === 'true',
          recipient: to ? (readEmailAddress(to)?.canonical ?? to) : undefined,
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
