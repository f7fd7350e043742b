import MailComposer from 'nodemailer/lib/mail-composer'
import { expect, test } from 'vitest'
import { writeMessage } from './write-message.ts'

const TEXTS = [
  'Thank you\nfor your order',
  'Grüße — “quoted” '.repeat(30),
  'é'.repeat(500),
  '大和撫子の着物\n'.repeat(40),
  `${'a'.repeat(2000)} \n\t\n.\n..dots\nFrom here = =20 \n`,
  'a lone \r return\r\nand the other end\r\n\r\n',
]

test.each([
  ...TEXTS.flatMap((words) => [
    { subject: words.slice(0, 60), text: words, html: `<p>${words}</p>` },
    { subject: 'one part', html: words },
  ]),
  { subject: 'nothing', text: '' },
])('a message is written as nodemailer writes it: %j', async (content) => {
  const message = () =>
    new MailComposer({
      from: { name: 'Öl & Sons', address: 'shop@example.com' },
      to: 'ada@example.com',
      date: new Date(0),
      messageId: '<evt_1@example.com>',
      baseBoundary: 'boundary',
      newline: 'win',
      ...content,
    }).compile()
  expect(writeMessage(message()).toString()).toBe((await message().build()).toString())
})
