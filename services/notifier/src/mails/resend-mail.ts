import { z } from 'zod'
import { recordAction } from '@storefront/audit'
import { transaction } from '@storefront/postgres'
import type { App } from '@storefront/http'
import { Ok, OpaqueId } from '@storefront/contracts'
import type { NotifierContext } from '../context.ts'
import { mailNotFound, notResendable } from '../errors.ts'
import { findMail, requeueMail } from './mail-log.queries.ts'

/**
 * A failed mail is tried for another day: the address was corrected, or the mail server works again. A withheld one is
 * tried for its first.
 */
export function resendMailRoute(app: App, { db, clock, log, sendMails }: NotifierContext): void {
  app.post('/admin/notifications/:id/resend', {
    config: { access: { admin: 'settings:write' }, errors: ['invalid_transition', 'not_found'] },
    schema: {
      summary: 'Send a failed or withheld mail again',
      description:
        'Only a mail that failed or was withheld by a limit, because it has reached no mailbox: anything else is 409 ' +
        '`invalid_transition`. It is tried for a day, with the current settings, and counts for no limit.',
      params: z.object({ id: OpaqueId.describe('Id of a mail, from the log.') }),
      response: { 200: Ok },
    },
    handler: async ({ params: { id }, id: requestId, actor }) => {
      await transaction(db, async (tx) => {
        const at = clock.now()
        if (!(await requeueMail(tx, id, at))) {
          const mail = await findMail(tx, id)
          throw mail ? notResendable(mail.phase) : mailNotFound()
        }
        await recordAction(tx, { actor, action: 'resend', subject: { kind: 'mail', id }, at })
      })
      log.info({ mail: id, requestId }, 'a mail is sent again on request')
      sendMails()
      return { ok: true as const }
    },
  })
}
