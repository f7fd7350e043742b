import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { OrderPaid, OrderPlaced } from '@storefront/contracts'
import { builtProgram, holdAtRow, waitFor, type RowToHold } from '@storefront/tools/testing'
import { createMailServers, subjectsOf, type MailServer } from './mail-server.ts'
import { createReceiver, createSetting, orderPlaced, type Receiver, type Setting } from './setting.ts'

/** What notifier writes before the end of a mail, and after its server has accepted it. */
const HANDING_OVER = {
  table: 'notifier.mails',
  on: 'update',
  // Its lease is renewed in the same phase.
  when: `old.phase = 'connecting' and new.phase = 'handed-over'`,
} as const
const SENT = { table: 'notifier.mails', on: 'update', when: `new.phase = 'sent'` } as const
const MAILS = ['SF-1', 'SF-2', 'SF-3', 'SF-4']
/** On a busy machine a delivery lasts for longer than the default of ten seconds, which would end its attempt. */
const LONG_TIMEOUT = { WEBHOOK_TIMEOUT_MS: '60000' }

const MAIN = await builtProgram('services/notifier/src/main.ts')

let setting: Setting
let receiver: Receiver
const processes = new Set<ChildProcess>()
const { mailServer, stopMailServers } = createMailServers()

beforeAll(async () => {
  setting = await createSetting()
})
beforeEach(async () => {
  receiver = await createReceiver()
})
afterEach(cleanUp)
afterAll(() => setting.stop())

async function cleanUp(): Promise<void> {
  for (const child of processes) await kill(child)
  await stopMailServers()
  await receiver.stop()
  await setting.clear()
}

/** Starts a real notifier in a process of its own. */
function spawnNotifier(more: Record<string, string> = {}): ChildProcess {
  const env = { PATH: process.env['PATH'] ?? '', ...setting.env({ STOREFRONT_URL: receiver.url, ...more }) }
  const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  processes.add(child)
  return child
}

/** Starts the notifier that follows a killed one: it finds the same rows in this process, which is faster. */
async function restart(more: Record<string, string> = {}): Promise<void> {
  await setting.start({ STOREFRONT_URL: receiver.url, ...more })
}

async function kill(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): Promise<number | null> {
  processes.delete(child)
  if (child.exitCode === null && child.signalCode === null) {
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
  }
  return child.exitCode
}

const paid = (number: number) => setting.publish(OrderPaid, { orderId: `order_${number}`, number: `SF-${number}` })
const mailPhases = () =>
  setting.suite.sql<{ reference: string; phase: string }>(
    'select reference, phase from notifier.mails order by reference',
  )
const delivered = () =>
  waitFor('all deliveries', async () => (await setting.deliveries()).every(({ status }) => status === 'delivered'))

/**
 * Kills a notifier that has two deliveries in progress, a mail whose recipient is not accepted yet, one in the middle
 * of its data, and one after the end of its data. Then starts the next notifier.
 */
async function killAtFourMoments() {
  receiver = await createReceiver()
  receiver.answer = () => {}
  try {
    let recipients = 0
    let accept = () => {}
    const server = await mailServer({
      recipient: () => (++recipients === 2 ? new Promise(() => {}) : Promise.resolve(undefined)),
      message: (count) =>
        count > 1
          ? Promise.resolve(undefined)
          : new Promise((resolve) => {
              accept = () => resolve(undefined)
            }),
    })
    const first = spawnNotifier({ SMTP_URL: server.url, ...LONG_TIMEOUT })
    const ids = [await paid(1), await paid(2)]
    await setting.publish(OrderPlaced, orderPlaced('SF-after'))
    await waitFor('both attempts', () => receiver.received.length === 2)
    await waitFor('the complete mail', () => server.seen.length === 1)
    await setting.publish(OrderPlaced, orderPlaced('SF-before'))
    await waitFor('the second SMTP session', () => recipients === 2)
    // A lock on the update of the row stops the notifier between the body of the mail and its end.
    const held = await holdAtRow(setting.suite.databaseAdminUrl, { ...HANDING_OVER, row: 1 })
    try {
      await setting.publish(OrderPlaced, orderPlaced('SF-within'))
      await held.reached()
      await waitFor('the body of the third mail', () => server.started === 2)
      await kill(first)
      await waitFor('the mail server to see the mail break off', () => server.broken === 1)
      // The statement of the killed notifier must not commit, because that would leave the mail uncertain.
      await held.terminate()
    } finally {
      await held.release()
    }
    const takenAtKill = subjectsOf(server)
    accept()
    receiver.answer = (response) => response.end()
    await restart({ SMTP_URL: server.url })
    await delivered()
    await waitFor('every mail to be settled', async () =>
      (await setting.mails()).every((mail) => ['sent', 'uncertain'].includes(mail.phase)),
    )
    await setting.publish(OrderPlaced, orderPlaced('SF-next'))
    await setting.phase('sent', 3)
    const phases = Object.fromEntries((await mailPhases()).map(({ reference, phase }) => [reference, phase]))
    return { ids, requests: receiver.received, takenAtKill, taken: subjectsOf(server), seen: server.seen, phases }
  } finally {
    await cleanUp()
  }
}

/** Holds back the replies of a mail server until all mails wait for one, so that they continue together. */
function repliesTogether(): () => Promise<undefined> {
  const waiting: (() => void)[] = []
  return () =>
    new Promise((resolve) => {
      waiting.push(() => resolve(undefined))
      if (waiting.length >= MAILS.length) for (const reply of waiting) reply()
    })
}

/** Kills the notifier when the statement that writes several mails has written one of them, and starts the next one. */
async function killAtSecondMail(
  server: MailServer,
  { row, commits }: { row: Omit<RowToHold, 'row'>; commits: boolean },
): Promise<void> {
  const variables = { SMTP_URL: server.url, CLAIM_LEASE_MS: '2000' }
  const first = spawnNotifier(variables)
  const held = await holdAtRow(setting.suite.databaseAdminUrl, { ...row, row: 2 })
  try {
    for (const number of MAILS) await setting.publish(OrderPlaced, orderPlaced(number))
    await held.reached()
    await kill(first)
    if (!commits) await held.terminate()
  } finally {
    await held.release()
  }
  await restart(variables)
}

/** Waits until no mail is under way. @returns how often each mail arrived, and its phase */
async function settledMails(server: MailServer): Promise<{ arrived: number; phase: string }[]> {
  await waitFor('every mail to be settled', async () =>
    (await setting.mails()).every((mail) => ['sent', 'uncertain'].includes(mail.phase)),
  )
  const rows = await mailPhases()
  const taken = subjectsOf(server)
  return rows.map(({ reference, phase }) => ({
    arrived: taken.filter((subject) => subject === `Order ${reference} received`).length,
    phase,
  }))
}

describe('a notifier that is killed', () => {
  let killed: Awaited<ReturnType<typeof killAtFourMoments>>
  const takenOf = (...numbers: string[]) =>
    killed.taken.filter((subject) => numbers.some((number) => subject?.includes(` ${number} `)))

  beforeAll(async () => {
    killed = await killAtFourMoments()
  })

  test('in the middle of a delivery loses no event and repeats the delivery with the same id', () => {
    const { ids, requests } = killed
    const repeated = requests.slice(2)
    expect(new Set(repeated.map((request) => request.headers['webhook-id']))).toEqual(new Set(ids))
    expect(repeated).toHaveLength(2)
    const bodies = requests.map((request) => request.body)
    expect(new Set(bodies).size).toBe(2)
  })

  test('before the mail server accepts any data sends the mail once after its restart', () => {
    expect(takenOf('SF-before')).toEqual(['Order SF-before received'])
  })

  test('before the end of the data sends the mail once after its restart', () => {
    expect(killed.takenAtKill).toEqual([])
    expect(takenOf('SF-within')).toEqual(['Order SF-within received'])
    expect(killed.seen.filter((text) => text.includes('Subject: Order SF-within received'))).toHaveLength(1)
  })

  test('after the end of the data does not send the mail again, and sends other mails', () => {
    expect(killed.phases['SF-after']).toBe('uncertain')
    expect(takenOf('SF-after', 'SF-next')).toEqual(['Order SF-after received', 'Order SF-next received'])
  })

  test('in the middle of recording that it hands several mails over sends each of them once', async () => {
    const server = await mailServer({ recipient: repliesTogether() })
    await killAtSecondMail(server, { row: HANDING_OVER, commits: false })
    const mails = await settledMails(server)
    expect(mails).toHaveLength(MAILS.length)
    for (const mail of mails) expect([1, mail.phase === 'uncertain' ? 0 : 1]).toContain(mail.arrived)
    // At least two of them shared the statement that did not commit: they were not handed over, and were sent again.
    expect(mails.filter(({ phase }) => phase === 'sent').length).toBeGreaterThanOrEqual(2)
  })

  test.for([{ commits: true }, { commits: false }])(
    'in the middle of recording that several mails are sent sends none again (its statement commits: $commits)',
    async ({ commits }) => {
      const server = await mailServer({ message: repliesTogether() })
      await killAtSecondMail(server, { row: SENT, commits })
      const mails = await settledMails(server)
      expect(mails.map(({ arrived }) => arrived)).toEqual(MAILS.map(() => 1))
      const sent = mails.filter(({ phase }) => phase === 'sent').length
      // At least two shared the statement.
      expect(commits ? sent : MAILS.length - sent).toBeGreaterThanOrEqual(2)
    },
  )
})

describe('a notifier that is suspended for a while', () => {
  const lapsed = (ms: number) =>
    waitFor(`a claim that ended ${ms} ms ago`, async () => {
      const rows = await setting.suite.sql(
        `select 1 from notifier.deliveries where status = 'sending' and lease_until < now() - ${ms} * interval '1 ms'`,
      )
      return rows.length > 0
    })

  test('beyond its lease keeps the delivery that it is sending, and the receiver gets it once', async () => {
    let finish = () => {}
    receiver.answer = (response) => {
      finish = () => response.end()
    }
    const slow = spawnNotifier({ CLAIM_LEASE_MS: '2000', ...LONG_TIMEOUT })
    await paid(1)
    await waitFor('the attempt', () => receiver.received.length === 1)
    slow.kill('SIGSTOP')
    await setting.start({ STOREFRONT_URL: receiver.url, CLAIM_LEASE_MS: '2000' })
    // The other replica has time to look for lapsed claims twice.
    await lapsed(4000)
    slow.kill('SIGCONT')
    finish()
    await waitFor('the delivery', async () => (await setting.deliveries())[0]?.status === 'delivered')
    expect((await setting.deliveries())[0]?.attempts).toBe(1)
    expect(receiver.received).toHaveLength(1)
  })

  test('so long that another replica reclaims its deliveries sends no more of them', async () => {
    const open: (() => void)[] = []
    receiver.answer = (response) => open.push(() => response.end())
    const lease = { CLAIM_LEASE_MS: '600' }
    const slow = spawnNotifier({ ...lease, ...LONG_TIMEOUT })
    await Promise.all(Array.from({ length: 20 }, (_, number) => paid(number)))
    await waitFor('a full queue and claims on the remaining deliveries', async () => {
      const claimed = (await setting.deliveries()).filter(({ status }) => status === 'sending')
      return receiver.received.length === 8 && claimed.length === 20
    })
    slow.kill('SIGSTOP')
    receiver.answer = (response) => response.end()
    await setting.start({ STOREFRONT_URL: receiver.url, ...lease })
    await waitFor('the other replica to deliver all', async () =>
      (await setting.deliveries()).every(({ status }) => status === 'delivered'),
    )
    expect(receiver.received).toHaveLength(28)
    slow.kill('SIGCONT')
    for (const finish of open) finish()
    await waitFor('the attempts of the suspended notifier', async () => {
      const attempts = await setting.suite.sql(`select 1 from notifier.attempts where status = 200`)
      return attempts.length === 28
    })
    expect(await kill(slow, 'SIGTERM')).toBe(0)
    expect(receiver.received).toHaveLength(28)
  })
})

describe('a notifier that gets SIGTERM', () => {
  test('finishes its work and exits with 0', async () => {
    let finish: (() => void) | undefined
    receiver.answer = (response) => {
      finish = () => response.end()
    }
    const notifier = spawnNotifier()
    await setting.publish(OrderPaid, { orderId: 'order_1', number: 'SF-1' })
    await waitFor('the attempt', () => finish)
    const stopped = kill(notifier, 'SIGTERM')
    await waitFor('the delivery to be in progress', async () => {
      const open = await setting.suite.sql(`select 1 from notifier.deliveries where status = 'sending'`)
      return open.length === 1
    })
    finish?.()
    expect(await stopped).toBe(0)
    expect((await setting.deliveries()).map((delivery) => delivery.status)).toEqual(['delivered'])
  })
})
