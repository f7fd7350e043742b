import { linksTo, SpanKind, tracedRoot } from '@storefront/service'
import type { WorkerContext } from '../context.ts'
import { outcomeOfSend, unsent, type Outcome } from './mail-outcome.ts'
import type { ClaimedMail } from './mails.queries.ts'
import { createHandedOverMarker } from './mark-handed-over.ts'
import { prepareMail } from './prepare-mail.ts'
import { storableReply } from './storable-reply.ts'

/**
 * Writes claimed mails and sends them, each in a trace of its own, which links to the trace that queued it.
 * @param isAborted whether the stop of the service has aborted running sends
 */
export function mailSender(context: WorkerContext, isAborted: () => boolean): (mail: ClaimedMail) => Promise<Outcome> {
  const { clock, transport } = context
  const markHandedOver = createHandedOverMarker(context)
  const attempt = () => ({ now: clock.now(), isAborted: isAborted(), random: Math.random() })

  return async (mail) => {
    const prepared = await prepareMail(mail, context)
    if (prepared.kind === 'not yet') return unsent(mail, prepared.reason, attempt())
    if (prepared.kind === 'impossible') return { phase: 'failed', answer: prepared.reason, nextAttemptAt: null }
    if (prepared.kind === 'dropped') return { phase: 'dropped', answer: prepared.reason, nextAttemptAt: null }

    const { message, shop } = prepared
    let handedOver = false
    const attributes = { 'storefront.mail.kind': mail.kind, 'storefront.mail.id': mail.id }
    const links = linksTo(mail.traceparent ?? undefined)
    const result = await tracedRoot('send mail', { kind: SpanKind.CLIENT, attributes, links }, async (span) => {
      const sent = await transport.send(message, shop.notifications, async () => {
        await markHandedOver(mail.id)
        handedOver = true
      })
      span?.setAttribute('storefront.mail.outcome', sent.kind)
      return sent
    })
    const answer = storableReply(result.answer, message)
    return outcomeOfSend(mail, { ...result, answer }, { ...attempt(), handedOver })
  }
}
