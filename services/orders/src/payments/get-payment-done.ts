import escapeHtml from 'escape-html'
import { z } from 'zod'
import { htmlPage, type App } from '@storefront/http'
import type { Database, SessionStatus } from '../database.ts'
import { findPaymentState } from './payments.queries.ts'

const ENDED: ReadonlySet<SessionStatus> = new Set(['cancelled', 'expired', 'failed', 'superseded'])

const PageId = z.string().max(200).optional()

/**
 * The page a buyer returns to when the storefront named none. The id of the session opens it, or that of an order
 * without a provider, and it shows no name.
 */
export function getPaymentDoneRoute(app: App, { db }: { db: Database }): void {
  app.get('/payments/done', {
    config: { access: 'public' },
    schema: { hide: true, querystring: z.object({ session: PageId, order: PageId }) },
    handler: async (request, reply) => {
      const state = await findPaymentState(db, request.query)
      return reply.type('text/html; charset=utf-8').send(htmlOf(textOf(state)))
    },
  })
}

interface Text {
  title: string
  explanation: string
  isOver: boolean
}

function textOf(state: { status: SessionStatus; number: string | null } | undefined): Text {
  if (state === undefined) {
    return {
      title: 'We could not find this payment',
      explanation: 'Please check the address, or contact the shop.',
      isOver: true,
    }
  }
  if (state.number !== null) {
    return {
      title: 'Thank you for your order',
      explanation: `Your order number is ${state.number}. We will send you a confirmation by email.`,
      isOver: true,
    }
  }
  if (ENDED.has(state.status)) {
    return {
      title: 'This payment has ended',
      explanation: 'No order was placed. If you were charged, the money will be refunded or your order will follow.',
      isOver: true,
    }
  }
  return {
    title: 'Your payment is being processed',
    explanation: 'This usually takes a few seconds. You can close this page: we will email you when it is done.',
    isOver: false,
  }
}

/** No script, and no automatic reload while the buyer is still reading. */
function htmlOf({ title, explanation, isOver }: Text): string {
  const again = isOver ? '' : '\n<p><a href="">Check again</a></p>'
  return htmlPage({
    title,
    style: '../auth/pages.css',
    content: `<h1>${escapeHtml(title)}</h1>\n<p role="status">${escapeHtml(explanation)}</p>${again}`,
  })
}
