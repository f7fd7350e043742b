import { z } from 'zod'
import { recordAction, transaction, type App } from '@storefront/chassis'
import { Ok, OpaqueId } from '@storefront/contracts'
import type { NotifierContext } from '../context.ts'
import { mailNotFound, notResendable } from '../errors.ts'
import { findMail, requeueMail } from './mail-log.queries.ts'

/** A mail that failed gets another day: the address was corrected, or the mail server works again. One that was withheld gets its first. */
export function resendMailRoute(
  app: App,
  { db, clock, log, sendMails }: NotifierContext & { sendMails: () => void },
): void {
  app.post('/admin/notifications/:id/resend', {
    config: { access: { admin: 'settings:write' }, errors: ['invalid_transition', 'not_found'] },
    schema: {
      tags: ['Admin: notifications'],
      summary: 'Send a mail that failed or was withheld',
      description:
        'Only one that failed or was withheld by a limit, because then it has reached no mailbox: anything else is 409 ' +
        '`invalid_transition`. It is tried for a day, with the settings in force, and counts for no limit.',
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
      log.info({ mail: id, requestId }, 'a mail is sent again on demand')
      sendMails()
      return { ok: true as const }
    },
  })
}
