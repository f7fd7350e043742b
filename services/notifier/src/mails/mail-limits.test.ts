import { clientKeysOf } from '@storefront/http'
import { expect, test } from 'vitest'
import {
  allowedAgainAt,
  countOrWithhold,
  mailLimitsOf,
  subjectsOf,
  type CountedMail,
  type MailLimits,
} from './mail-limits.ts'

const LIMITS: MailLimits = { perRecipient: 15, perSender: 20, perNetwork: 100 }
const mail = (change: Partial<CountedMail> = {}): CountedMail => ({
  kind: 'orderPlaced',
  recipient: 'ada@mail.example',
  unproven: { senders: clientKeysOf({ browser: 'one', customerId: 'cus_1', network: '10.0.0.1' }) },
  ...change,
})
/** How many of a series of mails are sent. */
function sentOf(mails: readonly CountedMail[], counts = new Map()): number {
  return mails.filter((each) => countOrWithhold(subjectsOf(each, LIMITS), counts) === undefined).length
}
const times = (count: number, make: (index: number) => CountedMail) =>
  Array.from({ length: count }, (_, index) => make(index))

test('one mailbox gets a limited number of mails in an hour, in any spelling and from any sender', () => {
  const flood = times(100, (index) =>
    mail({
      recipient: index % 2 ? `ada+${index}@mail.example` : 'ada@mail.example',
      unproven: { senders: clientKeysOf({ browser: `${index}`, network: `10.0.0.${index}` }) },
    }),
  )
  expect(sentOf(flood)).toBe(15)
})

test('a browser causes a limited number of mails in an hour, to any mailboxes, and a network some more', () => {
  const fromOneBrowser = times(100, (index) => mail({ recipient: `${index}@mail.example` }))
  expect(sentOf(fromOneBrowser)).toBe(20)
  const fromOneNetwork = times(300, (index) =>
    mail({
      recipient: `${index}@mail.example`,
      unproven: { senders: clientKeysOf({ browser: `${index}`, network: '10.0.0.1' }) },
    }),
  )
  expect(sentOf(fromOneNetwork)).toBe(100)
})

test('ten orders of one company in an hour are all confirmed', () => {
  expect(sentOf(times(10, () => mail()))).toBe(10)
})

test('the limit of a day is three times that of an hour', () => {
  const [recipient] = subjectsOf(mail(), LIMITS)
  const counts = new Map([[recipient?.subject ?? '', { hour: 0, day: 44 }]])
  expect(
    sentOf(
      times(3, () => mail()),
      counts,
    ),
  ).toBe(1)
})

test('another mail is allowed once enough of the last hour and of the last day are too old to count', () => {
  const at = (time: string) => new Date(`2026-03-02T${time}:00.000Z`)
  const span = (time: string, mails: number) => ({ since: at(time), mails })
  const limit = { perHour: 4 }
  expect(allowedAgainAt(limit, [span('10:50', 4)])).toEqual(at('11:50'))
  expect(allowedAgainAt(limit, [span('10:50', 3), span('10:30', 1), span('10:10', 1)])).toEqual(at('11:30'))
  // The limit is twelve a day: the mails of 08:00 must be too old as well, not only that of 01:00.
  const day = [span('10:00', 3), span('09:00', 4), span('08:00', 5), span('01:00', 1)]
  expect(allowedAgainAt(limit, day)).toEqual(new Date('2026-03-03T08:00:00.000Z'))
})

test('a mailbox that is flooded with orders still gets a link for a new password', () => {
  const counts = new Map()
  expect(
    sentOf(
      times(100, () => mail()),
      counts,
    ),
  ).toBe(15)
  expect(sentOf([mail({ kind: 'passwordReset' })], counts)).toBe(1)
})

test('a shop without rate limits has no limits of mails, unless they are set', () => {
  const config = { RATE_LIMIT_GENERAL: 0 }
  expect(mailLimitsOf(config)).toEqual({ perRecipient: 0, perSender: 0, perNetwork: 0 })
  expect(mailLimitsOf({ ...config, MAILS_PER_RECIPIENT: 7 })).toEqual({ perRecipient: 7, perSender: 0, perNetwork: 0 })
  expect(mailLimitsOf({ RATE_LIMIT_GENERAL: 600 })).toEqual(LIMITS)
})
