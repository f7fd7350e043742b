import type { FastifyReply } from 'fastify'
import { htmlPage, pageStyle } from '@storefront/http'
import { sendHtmlPage } from '../pages/send-html-page.ts'

const STYLE = pageStyle(`main{box-sizing:border-box;max-width:36rem;margin:0 auto;padding:6vh 1.25rem 3rem}
h2{margin:1.5rem 0 .5rem;font-size:1.125rem}
.shop{margin:0 0 .5rem;font-weight:600;overflow-wrap:anywhere}
.notice{margin:0 0 1.5rem;padding:.75rem 1rem;border:2px solid CanvasText;border-radius:.375rem;font-weight:600}
table{width:100%;border-collapse:collapse}
caption{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
th,td{padding:.5rem 0;text-align:start;vertical-align:top;font-weight:normal;overflow-wrap:anywhere}
td{padding-inline-start:1rem;text-align:end;white-space:nowrap}
tbody tr{border-bottom:1px solid GrayText}
tfoot th,tfoot td{padding:.25rem 0}
tfoot tr:first-child>*{padding-top:.75rem}
tfoot tr.total>*{padding-top:.5rem;font-size:1.25rem;font-weight:600}
small{display:block;font-size:.875rem}
form{margin:1.5rem 0 0}
button{box-sizing:border-box;display:block;width:100%;min-height:2.75rem;padding:.5rem .75rem;border:1px solid
CanvasText;border-radius:.375rem;background:CanvasText;color:Canvas;font:inherit;font-weight:600;cursor:pointer}`)

/** A page for the buyer who has a payment link. @param parts.content HTML @param parts.title a text */
export function page(parts: { title: string; content: string }): string {
  return htmlPage({ ...parts, style: STYLE })
}

export function sendPage(reply: FastifyReply, html: string): FastifyReply {
  // The form redirects to the page of any payment provider.
  return sendHtmlPage(reply, html, { style: STYLE, formTargets: ['https:'] })
}
