import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../infrastructure/free-port.ts'
import { waitUntil } from '../infrastructure/wait-until.ts'
import { builtProgram } from '../testing/index.ts'

const TOKEN = 'the-token-of-the-page-of-mails'
const AS_OWNER = { headers: { authorization: `Bearer ${TOKEN}` } }
let folder: string
let pages: string
let smtpPort: number
let end: () => Promise<void>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'storefront-mailbox-'))
  const port = await freePort()
  smtpPort = await freePort()
  pages = `http://127.0.0.1:${port}`
  const child = spawn(process.execPath, [await builtProgram('tools/src/mailbox/main.ts')], {
    env: {
      PATH: process.env['PATH'],
      PORT: String(port),
      SMTP_PORT: String(smtpPort),
      MAIL_DIR: join(folder, 'mail'),
      MAILBOX_TOKEN: TOKEN,
    },
    stdio: 'ignore',
  })
  end = async () => {
    child.kill('SIGTERM')
    if (child.exitCode === null) await once(child, 'exit')
  }
  await waitUntil(
    () =>
      fetch(`${pages}/readyz`).then(
        (response) => response.ok,
        () => false,
      ),
    { timeoutMs: 20_000 },
  )
})

afterAll(async () => {
  await end()
  await rm(folder, { recursive: true, force: true })
})

/** Sends these lines by SMTP (RFC 5321). @returns the last reply */
async function sendLines(lines: readonly string[]): Promise<string> {
  const socket = connect(smtpPort, '127.0.0.1').on('error', () => {})
  let received = ''
  socket.on('data', (part: Buffer) => (received += part.toString()))
  const responded = (count: number) =>
    waitUntil(() => (received.match(/^\d{3} .*\r\n/gm) ?? []).length >= count, { timeoutMs: 10_000 })
  for (const [index, line] of lines.entries()) {
    await responded(index + 1)
    socket.write(`${line}\r\n`)
  }
  await responded(lines.length + 1)
  socket.destroy()
  return received.trim().split('\r\n').at(-1) ?? ''
}

const mail = (subject: string, html: string) =>
  [
    'HELO shop',
    'MAIL FROM:<shop@example.com>',
    'RCPT TO:<ada@example.com>',
    'DATA',
    `Message-ID: <evt_1.orderPlaced@example.com>\r\nTo: ada@example.com\r\nSubject: ${subject}\r\nContent-Type: text/html\r\n\r\n${html}\r\n.`,
  ] as const

test('an accepted mail is stored in a file, and a repeated one in another file', async () => {
  expect(await sendLines(mail('Order SF-1', '<p>Thank you</p>'))).toMatch(/^250 /)
  expect(await sendLines(mail('Order SF-1', '<p>Thank you</p>'))).toMatch(/^250 /)
  const names = await readdir(join(folder, 'mail'))
  expect(names).toHaveLength(2)
  expect(names[0]).toMatch(/evt_1\.orderPlaced(-2)?\.eml$/)
  expect(await readFile(join(folder, 'mail', names[0] ?? ''), 'utf8')).toContain('<p>Thank you</p>')
})

test('a mail can be read in a browser, where it runs no script', async () => {
  await sendLines(mail('<script>x</script>', '<p>Hello</p><script>x</script>'))
  const list = await (await fetch(pages, AS_OWNER)).text()
  expect(list).toContain('&lt;script&gt;x')
  expect(list).not.toContain('<script>')
  const [, path = ''] = /href="(mails\/[^"?]+)"/.exec(list) ?? []
  const shown = await fetch(`${pages}/${path}`, AS_OWNER)
  expect(await shown.text()).toContain('<p>Hello</p>')
  expect(shown.headers.get('content-security-policy')).toMatch(
    /^sandbox .*default-src 'none'.*base-uri 'none'.*frame-ancestors 'none'/,
  )
  expect((await fetch(`${pages}/mails/..%2f..%2fetc%2fpasswd`, AS_OWNER)).status).toBe(404)
})

test('a request with the host name of another site is rejected', async () => {
  const requested = request(pages, { headers: { host: 'evil.example', ...AS_OWNER.headers } })
  requested.end()
  const [response] = await once(requested, 'response')
  expect(response.statusCode).toBe(403)
  response.resume()
})

test('no mail can be read without the token, whatever is guessed', async () => {
  await sendLines(mail('Reset', '<p>A link</p>'))
  const [name = ''] = await readdir(join(folder, 'mail'))
  const wrong: [string, RequestInit][] = [
    ['', {}],
    ['?token=', {}],
    ['?token=wrong', {}],
    [`?token=${TOKEN.slice(0, -1)}`, {}],
    ['', { headers: { cookie: 'storefront_mails=' } }],
    ['', { headers: { cookie: 'storefront_mails=wrong' } }],
    ['', { headers: { authorization: 'Bearer wrong' } }],
    ['', { headers: { authorization: TOKEN } }],
  ]
  for (const path of ['/', `/mails/${name}`, '/mails/none.eml']) {
    for (const [query, init] of wrong) {
      const response = await fetch(`${pages}${path}${query}`, { ...init, redirect: 'manual' })
      expect(response.status).toBe(401)
      expect(response.headers.get('set-cookie')).toBeNull()
      expect(await response.text()).toContain('npm start')
    }
  }
})

test('the address that the launcher prints leads to a cookie that opens the list and its links', async () => {
  const first = await fetch(`${pages}/?token=${encodeURIComponent(TOKEN)}`, { redirect: 'manual' })
  expect([first.status, first.headers.get('location')]).toEqual([303, '/'])
  const [set = ''] = first.headers.getSetCookie()
  expect(set).toMatch(/; HttpOnly; SameSite=Lax$/)
  const headers = { cookie: set.split(';')[0] ?? '' }
  const list = await (await fetch(pages, { headers })).text()
  const [, path = ''] = /href="(mails\/[^"?]+)"/.exec(list) ?? []
  expect((await fetch(`${pages}/${path}`, { headers })).status).toBe(200)
  expect(list).not.toContain(TOKEN)
})
