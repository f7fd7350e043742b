import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import escapeHtml from 'escape-html'
import PostalMime from 'postal-mime'
import type { MailFolder } from './mail-folder.ts'

const SHOWN = 100
/** How much of each mail is read for the list, which shows only headers. */
const HEADERS_BYTES = 16 * 1024
/** The list cuts longer texts. */
const LONGEST_SHOWN = 300
const TOKEN_COOKIE = 'storefront_mails'
const NO_TOKEN =
  'Only the owner of the shop may read its mails: open the address that `npm start` prints beside "Mail".'
const NOTHING = "default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'"
/** Lets a mail load only pictures and run no scripts, because parts of its content come from shoppers. */
const MAIL_POLICY = `sandbox allow-popups allow-popups-to-escape-sandbox; ${NOTHING}; style-src 'unsafe-inline'; img-src http: https: data:`
const LIST_POLICY = `${NOTHING}; style-src 'unsafe-inline'`

/**
 * Shows the mails in a browser: `/` lists the newest, `/mails/<name>` shows one, with `?part=text` as text.
 * @param token required by every page, because links in mails reset passwords, and other users of this machine can
 * reach the port. It is sent in the address of the list, which sets a cookie, or as `Authorization: Bearer`
 */
export function createMailPages(folder: MailFolder, token: string): Server {
  const isToken = tokenCheck(token)
  return createServer((request, response) => {
    reply(request.url ?? '/', request.headers).catch((error: unknown) => {
      console.error(error)
      send(response, { status: 500, type: 'text/plain', body: 'The mails cannot be read.' })
    })

    async function reply(address: string, { host = '', cookie, authorization }: IncomingHttpHeaders): Promise<void> {
      // Otherwise a page of another site could read mails, by resolving its own name to this address (DNS rebinding).
      if (!/^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host)) {
        return send(response, { status: 403, type: 'text/plain', body: 'Only this machine may read the mails.' })
      }
      const { pathname, searchParams } = new URL(address, 'http://localhost')
      if (pathname === '/readyz') return send(response, { status: 200, type: 'text/plain', body: 'ok' })
      const given = searchParams.get('token')
      if (given !== null && isToken(given)) {
        // Redirects to an address without the token, so that neither the history nor a picture in a mail contains it.
        const set = `${TOKEN_COOKIE}=${token}; Path=/; HttpOnly; SameSite=Lax`
        return send(response, { status: 303, type: 'text/plain', body: '', more: { location: '/', 'set-cookie': set } })
      }
      if (!isToken(cookieOf(cookie)) && !isToken(/^Bearer (\S+)$/i.exec(authorization ?? '')?.[1])) {
        return send(response, { status: 401, type: 'text/plain', body: NO_TOKEN })
      }
      if (pathname === '/') {
        return send(response, { status: 200, type: 'text/html', body: await list(folder), policy: LIST_POLICY })
      }
      const mail = pathname.startsWith('/mails/') ? await folder.read(pathname.slice('/mails/'.length)) : undefined
      if (!mail) return send(response, { status: 404, type: 'text/plain', body: 'There is no such mail.' })
      const { html, text = '' } = await PostalMime.parse(mail)
      if (html === undefined || searchParams.get('part') === 'text') {
        return send(response, { status: 200, type: 'text/plain', body: text })
      }
      send(response, { status: 200, type: 'text/html', body: html, policy: MAIL_POLICY })
    }
  })
}

/** Compares digests, which always have the same length, so that the time reveals nothing about the token. */
function tokenCheck(token: string): (given: string | undefined) => boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  const expected = digest(token)
  return (given) => given !== undefined && timingSafeEqual(digest(given), expected)
}

function cookieOf(header: string | undefined): string | undefined {
  return new RegExp(`(?:^|; *)${TOKEN_COOKIE}=([^;]*)`).exec(header ?? '')?.[1]
}

function send(
  response: ServerResponse,
  {
    status,
    type,
    body,
    policy = NOTHING,
    more = {},
  }: { status: number; type: string; body: string; policy?: string; more?: Record<string, string> },
): void {
  response.writeHead(status, {
    'content-type': `${type}; charset=utf-8`,
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    ...more,
  })
  response.end(body)
}

async function list(folder: MailFolder): Promise<string> {
  const names = await folder.newest(SHOWN)
  const rows = await Promise.all(
    names.map(async (name) => {
      const start = await folder.readStart(name, HEADERS_BYTES)
      if (!start) return ''
      const { subject, to, date } = await headersOf(start)
      return `<tr><td><time>${shown(date.slice(0, 19).replace('T', ' '))}</time></td><td>${shown(to)}</td>
<td><a href="mails/${name}">${shown(subject)}</a> (<a href="mails/${name}?part=text">text</a>)</td></tr>`
    }),
  )
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Mails of the shop</title>
<style>body{font:16px/1.5 system-ui,sans-serif;margin:2rem;color:#1a1a1a}table{border-collapse:collapse}
th,td{text-align:left;padding:.25rem 1rem .25rem 0;border-bottom:1px solid #ddd;vertical-align:top}</style></head>
<body><h1>Mails of the shop</h1>
${names.length === 0 ? '<p>There are no mails yet. Place an order to receive one.</p>' : `<p>The newest ${SHOWN} at most, newest first.</p>`}
<table><thead><tr><th scope="col">Sent (UTC)</th><th scope="col">To</th><th scope="col">Subject</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table></body></html>`
}

/** One mail that cannot be parsed must not hide the others. */
async function headersOf(start: Buffer): Promise<{ subject: string; to: string; date: string }> {
  try {
    const end = /\r?\n\r?\n/.exec(start.toString('latin1'))?.index ?? start.length
    const { subject, to = [], date = '' } = await PostalMime.parse(start.subarray(0, end))
    return { subject: subject || '(no subject)', to: to.map((each) => each.address ?? each.name).join(', '), date }
  } catch {
    return { subject: '(cannot be read)', to: '', date: '' }
  }
}

function shown(text: string): string {
  return escapeHtml(text.slice(0, LONGEST_SHOWN))
}
