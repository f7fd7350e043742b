import { expect, test } from 'vitest'
import { composeMessage } from './compose-message.ts'
import { senderOf, showMailbox } from './sender.ts'

const FALLBACK = 'Shop <shop@example.com>'

test.each([
  ['Linen & Co <hello@linen.example>', 'Atelier', 'Linen & Co <hello@linen.example>'],
  ['hello@linen.example', 'Atelier', 'Atelier <hello@linen.example>'],
  ['<hello@linen.example>', 'Atelier', 'Atelier <hello@linen.example>'],
  ['hello@linen.example', '', 'hello@linen.example'],
  ['"Linen, Co" <a@linen.example>, b@linen.example', 'Atelier', 'Linen, Co <a@linen.example>'],
  ['Linen', 'Atelier', 'Atelier <shop@example.com>'],
  ['Linen\n<hello@linen.example>', '', FALLBACK],
  [undefined, 'Atelier', 'Atelier <shop@example.com>'],
  [undefined, ' ', FALLBACK],
])('of a merchant who wrote %j, in a shop called %j, the sender is %s', (from, storeName, shown) => {
  expect(showMailbox(senderOf({ notifications: { from }, storeName }, FALLBACK).from)).toBe(shown)
})

const mail = {
  event_id: 'evt_1',
  event_at: new Date('2026-03-02T10:00:00.000Z'),
  kind: 'orderPlaced',
  recipient: 'ada@example.com',
  reference: 'SF-1',
}
test('a mail goes to the canonical form of the address, whatever was queued', () => {
  const sender = senderOf({ notifications: {}, storeName: '' }, FALLBACK)
  const message = composeMessage({ ...mail, recipient: 'Ada@gma\u0130l.test' }, text, sender)
  expect(message.to).toBe('ada@xn--gmail-bgd.test')
  expect(message.bytes.toString()).toContain('\r\nTo: ada@xn--gmail-bgd.test\r\n')
  for (const recipient of ['ada\u0007@example.com', 'ada\u202e@example.com', 'ada@example.com, eve@example.com']) {
    expect(() => composeMessage({ ...mail, recipient }, text, sender)).toThrow('not an email address')
  }
})

const text = { subject: 'Thank you', text: 'Thank you', html: '<p>Thank you</p>', holdsLink: false, fellBack: [] }
function headersFrom(storeName: string): string[] {
  const message = composeMessage(mail, text, senderOf({ notifications: {}, storeName }, 'shop@example.com'))
  expect(message.from).toBe('shop@example.com')
  const [head = ''] = message.bytes.toString().split('\r\n\r\n')
  return head.replaceAll('\r\n ', ' ').split('\r\n')
}

test.each([
  ['Linen & Sons', 'From: "Linen & Sons" <shop@example.com>'],
  ['Linen', 'From: Linen <shop@example.com>'],
  ['"Linen" <eve@evil.example>, \\x', 'From: "\\"Linen\\" <eve@evil.example>, \\\\x" <shop@example.com>'],
  ['Linen\r\nBcc: eve@evil.example', 'From: "Linen Bcc: eve@evil.example" <shop@example.com>'],
  ['Öl \u202eeve', 'From: =?UTF-8?Q?=C3=96l_eve?= <shop@example.com>'],
])('a shop called %j is named in one header, safely encoded', (storeName, from) => {
  const headers = headersFrom(storeName)
  expect(headers.filter((line) => /^(from|bcc|to|cc):/i.test(line))).toEqual([from, 'To: ada@example.com'])
})

test('a shop with a name of thousands of characters still has a sender', () => {
  const headers = headersFrom('字'.repeat(5000))
  expect(headers.filter((line) => line.startsWith('From: '))).toEqual([expect.stringMatching(/ <shop@example\.com>$/)])
})
