import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { systemClock } from '@storefront/service'
import { deadLetterStream, eventsStream, eventSubject, newId, OrderPaid } from '@storefront/contracts'
import { withNats } from '../infrastructure/with-nats.ts'
import { StartError } from '../start-error.ts'
import { startOwnNats, waitFor, type OwnNats } from '../testing/index.ts'
import { readEventArguments } from './event-arguments.ts'
import { runOnStreams, runEvents } from './run-events.ts'
import { openShopStreams } from './shop-streams.ts'
import type { Terminal } from './terminal.ts'

// A namespace with each kind of character that services accept.
const namespace = 'away_shop_2'

let nats: OwnNats
let shown: string[] = []
let noted: string[] = []

const terminal: Terminal = {
  out: (text) => void shown.push(text),
  note: (text) => void noted.push(text),
  confirm: () => Promise.resolve(true),
}

beforeAll(async () => {
  nats = await startOwnNats()
  await withNats(nats.url, {}, async (connection) => {
    const manager = await jetstreamManager(connection)
    await manager.streams.add({ name: eventsStream(namespace), subjects: [`${namespace}.events.>`] })
    await manager.streams.add({ name: deadLetterStream(namespace), subjects: [`${namespace}.dead.>`] })
  })
})

beforeEach(() => {
  shown = []
  noted = []
})

afterAll(async () => {
  await nats.remove()
})

function wanted(...args: string[]) {
  const read = readEventArguments(args, systemClock.now())
  if (read === 'help') throw new Error('the arguments only print the help')
  return read
}

const contextWith = (signal: AbortSignal) => ({
  env: { NATS_URL: nats.url, NAMESPACE: namespace },
  terminal,
  signal,
  now: systemClock.now(),
})

async function publishEvent(number: string): Promise<void> {
  const event = { id: newId('event'), name: OrderPaid.name, at: systemClock.now().toISOString() }
  const envelope = { ...event, data: { orderId: 'order_1', number } }
  await withNats(nats.url, {}, (connection) =>
    jetstream(connection).publish(eventSubject(namespace, OrderPaid), JSON.stringify(envelope)),
  )
}

test.each([
  [['tail', '--count', '1']],
  [['replay', '--from', '1h', '--yes']],
  [['consumers']],
  [['dead-letters', 'list']],
  [['dead-letters', 'show', '1']],
  [['dead-letters', 'replay', '--all', '--yes']],
  [['dead-letters', 'drop', '1', '--yes']],
])('%j names what to do when NATS is down, and when it stops before the reply', async (args) => {
  const signal = new AbortController().signal
  const streams = await openShopStreams(contextWith(signal).env)
  try {
    await nats.stop()
    await expect(runEvents(wanted(...args), contextWith(signal))).rejects.toThrow(
      /^NATS does not respond at .*: start the shop, or set NATS_URL\.$/,
    )
    await streams.connection.closed()
    const late = await runOnStreams(streams, wanted(...args), contextWith(signal)).catch((error: unknown) => error)
    expect(late).toBeInstanceOf(StartError)
    expect(late).toMatchObject({ message: expect.stringMatching(/^NATS .*run the command again when NATS is up\.$/) })
  } finally {
    await nats.start()
    await streams.close()
  }
})

test.each([[[]], [['--since', '1h']]])(
  'tail %j continues after a restart of NATS: later events are shown, and none twice',
  async (more: string[]) => {
    const stopping = new AbortController()
    const run = String(more.length)
    const tail = runEvents(wanted('tail', '--event', 'order.paid', ...more), contextWith(stopping.signal))
    let before = 0
    await waitFor('a line', async () => {
      await publishEvent(`before-${run}-${before++}`)
      return shown.some((line) => line.includes(`before-${run}`))
    })
    await nats.stop()
    await waitFor('the note', () => noted.some((line) => line.startsWith('NATS is down')))
    await nats.start()
    await publishEvent(`after-${run}-1`)
    await publishEvent(`after-${run}-2`)
    await waitFor('the later event', () => shown.some((line) => line.includes(`after-${run}-2`)))
    stopping.abort()
    await tail
    const numbers = shown.map((line) => /number=(\S+)/.exec(line)?.[1]).filter((one) => one?.includes(`-${run}-`))
    expect(numbers.slice(-2)).toEqual([`after-${run}-1`, `after-${run}-2`])
    expect(new Set(numbers).size).toBe(numbers.length)
  },
)

test('recover creates lost streams with the maximum size that the migrate step has', async () => {
  const names = [eventsStream(namespace), deadLetterStream(namespace)]
  const context = contextWith(new AbortController().signal)
  const more = { STREAM_MAX_BYTES: '8388608', DATABASE_URL: 'postgres://shop:shop@127.0.0.1:1/shop' }
  await withNats(nats.url, {}, async (connection) => {
    const manager = await jetstreamManager(connection)
    for (const name of names) await manager.streams.delete(name)
    // The streams come first: the events to publish would be in the database, which is away here.
    const recovery = runEvents(wanted('recover', '--yes'), { ...context, env: { ...context.env, ...more } })
    await expect(recovery).rejects.toThrow('cannot be read from the database')
    const infos = await Promise.all(names.map((name) => manager.streams.info(name)))
    expect(infos.map(({ config }) => config.max_bytes)).toEqual([8_388_608, 1_048_576])
  })
})
