import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHandedOverMarker } from '../src/mails/mark-handed-over.ts'
import { createSetting, type Setting } from './setting.ts'

let setting: Setting

beforeAll(async () => {
  setting = await createSetting()
})
afterAll(() => setting.stop())

const claimedMail = (id: string, worker: string) =>
  setting.suite.sql(
    `insert into notifier.mails (id, event_id, kind, recipient, reference, data, event_at, next_attempt_at, created_at,
      phase, leased_by, lease_until)
    values ($1, $1, 'orderPlaced', 'ada@example.com', $1, '{}', now(), now(), now(), 'connecting', $2, now())`,
    [id, worker],
  )

test('mails are handed over independently of each other: a lost claim stops only its own mail', async () => {
  await claimedMail('mail_1', 'me')
  await claimedMail('mail_2', 'another worker')
  await claimedMail('mail_3', 'me')
  await setting.withDatabase(async (db) => {
    const markHandedOver = createHandedOverMarker({ db, worker: 'me', leaseMs: 1000 })
    const results = await Promise.allSettled(['mail_3', 'mail_2', 'mail_1'].map(markHandedOver))
    expect(results).toMatchObject([
      { status: 'fulfilled' },
      { status: 'rejected', reason: expect.objectContaining({ message: 'the claim on this mail was lost' }) },
      { status: 'fulfilled' },
    ])
    // Marking a mail a second time must fail, because its caller would send the mail twice.
    await expect(markHandedOver('mail_1')).rejects.toThrow('the claim on this mail was lost')
  })
  const phases = await setting.suite.sql('select id, phase from notifier.mails order by id')
  expect(phases).toEqual([
    { id: 'mail_1', phase: 'handed-over' },
    { id: 'mail_2', phase: 'connecting' },
    { id: 'mail_3', phase: 'handed-over' },
  ])
})
