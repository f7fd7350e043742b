import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '@storefront/tools/testing'
import { mailsInFolder, readSentMail } from './sent-mails.ts'

function mail({ subject = 'We have your order SF-10001', kind = 'orderPlaced', to = 'ada@example.com' } = {}): string {
  const headers = [
    'From: Shop <shop@example.com>',
    `To: Ada\r\n Lovelace <${to}>`,
    `Subject: ${subject}`,
    `Message-ID: <evt_0123.${kind}@shop.example.com>`,
  ]
  return [...headers, '', 'Subject: SF-99999', 'To: outsider@example.com'].join('\r\n')
}

test('a mail about an order has its kind, its order and its recipient in its headers', () => {
  const expected = { kind: 'orderPlaced', orderNumber: 'SF-10001', to: 'ada@example.com' }
  expect(readSentMail(mail())).toEqual(expected)
  expect(readSentMail(mail({ subject: '=?UTF-8?Q?Ihre_Bestellung_SF-10001_=C3=BC?=' }))).toEqual(expected)
  expect(readSentMail(mail({ subject: 'Set a new password', kind: 'passwordReset' }))).toBeUndefined()
})

test('a mail that was sent twice is in the folder of the mailbox twice', async () => {
  const folder = await temporaryFolder('storefront-mails')
  try {
    const files = { 'one.eml': mail(), 'one-2.eml': mail(), 'two.eml': mail({ kind: 'paymentCaptured' }), '.x.tmp': '' }
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
    const kinds = (await mailsInFolder(folder)).map(({ kind }) => kind)
    expect(kinds.toSorted()).toEqual(['orderPlaced', 'orderPlaced', 'paymentCaptured'])
    expect(await mailsInFolder(join(folder, 'missing'))).toEqual([])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
