import { z } from 'zod'
import type { App } from '@storefront/chassis'
import type { Database, SessionStatus } from '../database.ts'
import { findPaymentState } from './payments.queries.ts'

const ENDED: ReadonlySet<SessionStatus> = new Set(['cancelled', 'expired', 'failed', 'superseded'])

const PageId = z.string().max(200).optional()

/**
 * Where a buyer comes back to when the storefront named no page of its own. The id of the session opens it, or that of an
 * order that went to no provider, and it names no one.
 */
export function showPaymentDoneRoute(app: App, { db }: { db: Database }): void {
  app.get(
    '/payments/done',
    {
      config: { access: 'public' },
      schema: { hide: true, querystring: z.object({ session: PageId, order: PageId }) },
    },
    async (request, reply) => {
      const state = await findPaymentState(db, request.query)
      return reply.type('text/html; charset=utf-8').send(htmlOf(textOf(state)))
    },
  )
}

interface Text {
  title: string
  explanation: string
  isOver: boolean
}

function textOf(state: { status: SessionStatus; number: string | null } | undefined): Text {
  if (state === undefined) {
    return { title: 'Nothing to see here', explanation: 'We do not know this payment.', isOver: true }
  }
  if (state.number !== null) {
    return {
      title: 'Thank you for your order',
      explanation: `Your order is ${state.number}. A confirmation is on its way to you by e-mail.`,
      isOver: true,
    }
  }
  if (ENDED.has(state.status)) {
    return {
      title: 'This payment has ended',
      explanation: 'No order was made of it. If money was taken all the same, it makes your order or goes back to you.',
      isOver: true,
    }
  }
  return {
    title: 'Your payment is being processed',
    explanation: 'This takes a few seconds as a rule. You may close this page: we write to you as soon as it is done.',
    isOver: false,
  }
}

/** Without a script, and without reloading by itself under somebody who is still reading. */
function htmlOf({ title, explanation, isOver }: Text): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escaped(title)}</title>
<link rel="stylesheet" href="../auth/pages.css">
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
<p role="status">${escaped(explanation)}</p>
${isOver ? '' : '<p><a href="">Look again</a></p>\n'}</main>
</body>
</html>
`
}

/** A merchant chooses what order numbers begin with. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
