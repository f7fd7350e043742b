import escapeHtml from 'escape-html'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { formatMoney } from '@storefront/contracts'
import { htmlPage, pageStyle } from '@storefront/http'
import type { Pages } from '../../pages/add-pages.ts'
import { sendHtmlPage } from '../../pages/send-html-page.ts'
import type { DemoSession } from './demo.queries.ts'

export const DemoSessionParams = z.object({ session: z.string().max(200) })

export const DEMO_PAGES: Pages = {
  maxFormBytes: 1024,
  // The forms have no fields: the action is in the path.
  readForm: () => undefined,
  notFound: 'We could not find this payment',
  sendFault: (reply, title, sentence) => sendDemoPage(reply, demoFaultPage(title, sentence)),
}

const STYLE = pageStyle(`main{box-sizing:border-box;max-width:30rem;margin:0 auto;padding:8vh 1.5rem 3rem}
.demo,.notice{margin:0 0 1.5rem;padding:.75rem 1rem;border:1px solid GrayText;border-radius:.375rem}
.notice{border:2px solid CanvasText;font-weight:600}
dl{display:grid;grid-template-columns:auto 1fr;gap:.25rem 1.5rem;margin:0 0 1.5rem}
dd{margin:0;text-align:right;overflow-wrap:anywhere}
.total{font-size:1.25rem;font-weight:600}
form{margin:0 0 .75rem}
button,a.button{box-sizing:border-box;display:block;width:100%;min-height:2.75rem;padding:.5rem .75rem;border:1px solid
GrayText;border-radius:.375rem;background:Canvas;color:CanvasText;font:inherit;font-weight:600;text-align:center;
text-decoration:none;cursor:pointer}
button.first,a.button{border-color:CanvasText;background:CanvasText;color:Canvas}`)

/** An address to redirect a buyer to; undefined when it is neither http nor https. */
export function webAddress(address: string | null): URL | undefined {
  const url = address === null ? null : URL.parse(address)
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url : undefined
}

/** The page of a session in its current state. */
export function demoPageOf(session: DemoSession, now: Date, locale: string): string {
  const isOver = session.expires_at <= now
  if (session.status === 'paid') return donePage(session, locale)
  if (session.status === 'cancelled') return cancelledPage(session)
  return session.status === 'closed' || isOver ? endedPage(session) : choicePage(session, locale)
}

function choicePage(session: DemoSession, locale: string): string {
  const declined =
    session.status === 'declined'
      ? '<p class="notice" role="alert">The payment was declined. Nothing was paid. You can try again, or cancel.</p>\n'
      : ''
  return page(session.store_name, {
    title: `Pay ${session.store_name}`,
    content: `${declined}<dl>
<dt>For</dt><dd>${escapeHtml(session.description)}</dd>
<dt>Email</dt><dd>${escapeHtml(session.email)}</dd>
<dt class="total">Total</dt><dd class="total">${escapeHtml(totalOf(session, locale))}</dd>
</dl>
${choice(session, 'pay', `Pay ${totalOf(session, locale)}`, 'first')}
${choice(session, 'decline', 'Simulate a declined card')}
${choice(session, 'cancel', `Cancel and go back to ${session.store_name}`)}`,
  })
}

function donePage(session: DemoSession, locale: string): string {
  return page(session.store_name, {
    title: 'Paid, thank you',
    content: `<p class="notice" role="status">You have paid ${escapeHtml(totalOf(session, locale))}. You cannot be charged again.</p>
<p>${escapeHtml(session.store_name)} confirms your order by email.</p>
${linkTo(session.success_url, session.store_name)}`,
  })
}

function cancelledPage(session: DemoSession): string {
  return page(session.store_name, {
    title: 'Payment canceled',
    content: `<p>You canceled this payment. Nothing was paid.</p>
${linkTo(session.cancel_url, session.store_name)}`,
  })
}

function endedPage(session: DemoSession): string {
  return page(session.store_name, {
    title: 'This payment has ended',
    content: `<p>This payment page has expired. Nothing was paid. Please go back to ${escapeHtml(session.store_name)} and check out again.</p>
${linkTo(session.cancel_url, session.store_name)}`,
  })
}

/** The page for a session that does not exist, or an error. */
function demoFaultPage(title: string, sentence: string): string {
  return page('Demo payment', { title, content: `<p>${escapeHtml(sentence)}</p>` })
}

function totalOf({ total_minor: amount, currency }: DemoSession, locale: string): string {
  return formatMoney({ amount, currency }, locale)
}

/** Needs no script. The address is relative, because the shop may have a base path. */
function choice({ id }: DemoSession, action: string, label: string, kind = 'other'): string {
  return `<form method="post" action="${escapeHtml(id)}/${action}"><button class="${kind}">${escapeHtml(label)}</button></form>`
}

function linkTo(address: string | null, storeName: string): string {
  const url = webAddress(address)
  return url ? `<a class="button" href="${escapeHtml(url.href)}">Continue to ${escapeHtml(storeName)}</a>` : ''
}

function page(storeName: string, { title, content }: { title: string; content: string }): string {
  return htmlPage({
    title: `${title} – ${storeName}`,
    style: STYLE,
    content: `<p class="demo"><strong>Demo payment.</strong> This page is for trying out the shop. You are not charged, and no card is needed.</p>
<h1>${escapeHtml(title)}</h1>
${content}`,
  })
}

/** @param session whose shop the buyer is led back to */
export function sendDemoPage(reply: FastifyReply, html: string, session?: DemoSession): FastifyReply {
  const targets = [session?.success_url ?? null, session?.cancel_url ?? null].flatMap(
    (url) => webAddress(url)?.origin ?? [],
  )
  return sendHtmlPage(reply, html, { style: STYLE, formTargets: [...new Set(targets)] })
}

/** Redirects from a submitted form back to its page as a GET, so that reloading submits nothing again. */
export function backToPage(reply: FastifyReply, id: string): FastifyReply {
  return reply.redirect(`../${id}`, 303)
}
