import { lookup } from 'node:dns'
import { afterEach, describe, expect, test } from 'vitest'
import type { Message } from '../src/mails/compose-message.ts'
import { SmtpTransport } from '../src/mails/smtp-transport.ts'
import { createMailServer, type MailServerHooks } from './mail-server.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const MESSAGE: Message = {
  name: 'SF-1-orderPlaced-evt_1',
  messageId: '<evt_1.orderPlaced@example.com>',
  from: 'shop@example.com',
  to: 'ada@example.com',
  bytes: Buffer.from('Subject: Order SF-1 received\r\n\r\nThank you.\r\n'),
  holdsLink: false,
  fellBack: [],
}

/** Sends a mail to a local server that counts as public or as part of our own network. */
async function send(where: 'public' | 'private', hooks: MailServerHooks, { signsIn = true } = {}) {
  const tried: unknown[] = []
  const acceptsPassword = (given: unknown) => {
    tried.push(given)
    return true
  }
  const server = await createMailServer({ ...(signsIn && { acceptsPassword }), ...hooks })
  const transport = new SmtpTransport({
    allowPrivate: true,
    isPrivate: () => where === 'private',
    timeoutMs: 2000,
    resolve: lookup,
  })
  closing.push(() => {
    transport.close({ force: true })
    server.cut()
    return server.stop()
  })
  const auth = signsIn ? { auth: { user: 'shop', pass: 'the password' } } : {}
  const to = { host: '127.0.0.1', port: server.port, secure: false, isOperators: false, ...auth }
  let ends = 0
  const result = await transport.send(to, MESSAGE, async () => void ends++)
  return { result, tried, server, ends }
}

describe('the password for a mail server in another network', () => {
  test('is not sent without STARTTLS, and neither is any part of the mail', async () => {
    const { result, tried, server, ends } = await send('public', {})
    expect(result.kind).not.toBe('sent')
    expect([tried, server.started, ends]).toEqual([[], 0, 0])
  })

  test('is not sent to a server with an invalid certificate', async () => {
    const { result, tried, server, ends } = await send('public', { tls: 'offered' })
    expect(result.kind).not.toBe('sent')
    expect(result.answer).toContain('certificate')
    expect([tried, server.started, ends]).toEqual([[], 0, 0])
  })

  test('may be sent in our own network, without TLS or with any certificate', async () => {
    for (const hooks of [{}, { tls: 'offered' as const }]) {
      const { result, tried, server } = await send('private', hooks)
      expect(result.kind).toBe('sent')
      expect(tried).toEqual(['the password'])
      expect(server.taken).toHaveLength(1)
    }
  })
})

describe('a mail without a password to another network', () => {
  test('is sent when there is no STARTTLS', async () => {
    const { result, server } = await send('public', {}, { signsIn: false })
    expect(result.kind).toBe('sent')
    expect(server.taken).toHaveLength(1)
  })

  test('is not sent to a server with an invalid certificate', async () => {
    const { result, server } = await send('public', { tls: 'offered' }, { signsIn: false })
    expect(result.kind).not.toBe('sent')
    expect(server.started).toBe(0)
  })
})
