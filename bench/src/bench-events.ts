import { setTimeout } from 'node:timers/promises'
import type { z } from 'zod'
import { cpuTimes, timePerPiece } from './cpu-time.ts'
import { openEventGround, OTHER_PATH, STOREFRONT_PATH, type EventGround } from './event-ground.ts'
import { ArrivalCount, ArrivalReport, Done, Written, type EventMix } from './event-messages.ts'
import { stagesTable } from './event-stages.ts'
import { describeMachine } from './machine.ts'
import { residentMegabytes } from './memory.ts'
import type { Rounds } from './rounds.ts'
import { markdownTable } from './table.ts'
import { vacuumDatabase } from './vacuum-database.ts'
import { verdict } from './verdict.ts'

const P99_TARGET_MS = 250
/** Backlogs gather as fast as they are written. */
const GATHER_PER_SECOND = 1500
const FRESH_PER_SECOND = 50
const POLL_MS = 100
/** An event that has not arrived this long after the last arrival counts as lost. */
const TIMEOUT_MS = 15_000

interface EventRounds extends Rounds {
  /** Events a second, steadily. */
  rate: number
}

/** What was written, and where it has to arrive. */
interface Run {
  run: string
  path: string
  startMs: number
  perSecond: number
  count: number
}

/**
 * Measures how long events take from commit to a receiver, and how a backlog is processed. The process fails when any
 * is lost or duplicated.
 */
export async function benchEvents(options: EventRounds & { backlog: number }): Promise<void> {
  const ground = await openEventGround()
  const runs: Run[] = []
  try {
    console.log(describeMachine())
    if (options.rounds > 0) console.log(await steadyTable(ground, runs, options))
    if (options.backlog > 0) console.log(await backlogTable(ground, runs, options.backlog))
    const { sentence, isGood } = verdict(await Promise.all(runs.map((run) => reportOf(ground, run))))
    console.log(sentence)
    if (!isGood) process.exitCode = 1
  } finally {
    await ground.close()
  }
}

async function steadyTable(ground: EventGround, runs: Run[], options: EventRounds): Promise<string> {
  const { rate } = options
  const rows: string[][] = []
  const stages: string[][] = []
  await steadyRound(ground, runs, { run: 'warm', mix: 'mixed', seconds: Math.min(5, options.seconds), rate })
  for (const mix of ['inventory', 'mixed'] as const) {
    await vacuumDatabase(ground.shop.databaseAdminUrl)
    for (let round = 1; round <= options.rounds; round++) {
      const run = `${mix}${round}`
      const { row, written } = await steadyRound(ground, runs, { run, mix, seconds: options.seconds, rate })
      rows.push([mix, String(round), ...row])
      stages.push([mix, String(round), ...(await ground.stages(run, written))])
      console.error(`${mix}: round ${round} of ${options.rounds}, p99 ${row[2]} ms`)
    }
  }
  return [
    `Target: ${rate} events a second, p99 below ${P99_TARGET_MS} ms, none lost, none duplicated.`,
    '',
    markdownTable(
      [
        'events',
        'round',
        'a second',
        'p50 ms',
        'p99 ms',
        'max ms',
        'lost',
        'duplicated',
        'notifier MB: start, peak, end',
        'CPU ms an event',
      ],
      rows,
    ),
    '',
    stagesTable(stages),
    '',
  ].join('\n')
}

async function steadyRound(
  ground: EventGround,
  runs: Run[],
  { run, mix, seconds, rate }: { run: string; mix: EventMix; seconds: number; rate: number },
): Promise<{ row: string[]; written: z.output<typeof Written> }> {
  const { shop, writer, receiver } = ground
  const helpers = { writer: writer.pid, receiver: receiver.pid }
  const memory = watchMemory(ground)
  const before = await cpuTimes(shop, helpers)
  const count = rate * seconds
  const written = await writer.request({ command: 'write', run, mix, perSecond: rate, count }, Written)
  await allArrived(ground, { run, path: STOREFRONT_PATH, count })
  const time = timePerPiece(before, await cpuTimes(shop, helpers), count)
  const sizes = await memory.stop()
  const report = await reportOf(ground, keep(runs, { run, path: STOREFRONT_PATH, perSecond: rate, ...written }))
  const perSecond = count / ((report.lastMs - written.startMs) / 1000)
  const row = [perSecond.toFixed(0), ...latencyCells(report), `${sizes.start}, ${sizes.peak}, ${sizes.end}`, time]
  return { row, written }
}

async function backlogTable(ground: EventGround, runs: Run[], backlog: number): Promise<string> {
  const { shop, writer, receiver } = ground
  await receiver.request({ command: 'hang', path: STOREFRONT_PATH }, Done)
  const gathered = await writer.request(
    { command: 'write', run: 'backlog', mix: 'product', perSecond: GATHER_PER_SECOND, count: backlog },
    Written,
  )
  const waiting = await reaches(backlog, () => ground.openDeliveries())
  console.error(`backlog: ${waiting} deliveries wait`)

  const memory = watchMemory(ground)
  const fresh = { perSecond: FRESH_PER_SECOND, run: 'fresh', path: OTHER_PATH }
  const freshWritten = writer.request(
    { command: 'write', run: 'fresh', mix: 'deleted', perSecond: FRESH_PER_SECOND, count: FRESH_PER_SECOND * 3600 },
    Written,
  )
  const before = await cpuTimes(shop, { receiver: receiver.pid })
  const beganMs = performance.now()
  const memoryReadings = [memory.now()]
  await receiver.request({ command: 'recover', path: STOREFRONT_PATH }, Done)
  for (const part of [0.25, 0.5, 0.75, 1]) {
    await allArrived(ground, { run: 'backlog', path: STOREFRONT_PATH, count: Math.ceil(backlog * part) })
    memoryReadings.push(memory.now())
  }
  const seconds = (performance.now() - beganMs) / 1000
  const time = timePerPiece(before, await cpuTimes(shop, { receiver: receiver.pid }), backlog)
  await writer.request({ command: 'stop-writing', run: 'fresh' }, Done)
  const written = await freshWritten
  await allArrived(ground, { ...fresh, count: written.count })
  const sizes = await memory.stop()
  const freshReport = await reportOf(ground, keep(runs, { ...fresh, ...written }))
  keep(runs, { run: 'fresh', path: STOREFRONT_PATH, perSecond: FRESH_PER_SECOND, ...written })
  await allArrived(ground, { run: 'fresh', path: STOREFRONT_PATH, count: written.count })
  const report = await reportOf(
    ground,
    keep(runs, { run: 'backlog', path: STOREFRONT_PATH, perSecond: GATHER_PER_SECOND, ...gathered }),
  )
  return markdownTable(
    ['backlog', 'measured'],
    [
      ['processed', `${backlog} deliveries in ${seconds.toFixed(1)} s, ${(backlog / seconds).toFixed(0)}/s`],
      ['lost, duplicated', `${report.lost}, ${report.duplicated}`],
      ['notifier MB: start, quarter, half, three quarters, end', (await Promise.all(memoryReadings)).join(', ')],
      ['notifier MB, peak', String(sizes.peak)],
      ['CPU ms a delivery, fresh events included', time],
      [
        `fresh events to another endpoint meanwhile, ${FRESH_PER_SECOND}/s: p50, p99, max ms, lost, duplicated (target p99: ${P99_TARGET_MS})`,
        latencyCells(freshReport).join(', '),
      ],
    ],
  )
}

function reportOf({ receiver }: EventGround, run: Run): Promise<ArrivalReport> {
  return receiver.request({ ...run, command: 'report' }, ArrivalReport)
}

/** Keeps a run for a final check after all others, because a duplicate may arrive late. */
function keep(runs: Run[], run: Run): Run {
  runs.push(run)
  return run
}

function latencyCells({ p50Ms, p99Ms, maxMs, lost, duplicated }: ArrivalReport): string[] {
  return [p50Ms.toFixed(0), p99Ms.toFixed(0), maxMs.toFixed(0), String(lost), String(duplicated)]
}

/** Waits until this many events have arrived, or no more arrive. */
async function allArrived(
  { receiver }: EventGround,
  { run, path, count }: { run: string; path: string; count: number },
): Promise<void> {
  await reaches(count, async () => (await receiver.request({ command: 'count', run, path }, ArrivalCount)).count)
}

/** Waits until a number is this large, or no longer changes. @returns the number */
async function reaches(wanted: number, read: () => Promise<number>): Promise<number> {
  let known = -1
  let changedMs = performance.now()
  for (;;) {
    const now = await read()
    if (now >= wanted || performance.now() - changedMs > TIMEOUT_MS) return now
    if (now !== known) changedMs = performance.now()
    known = now
    await setTimeout(POLL_MS)
  }
}

/** Looks at the resident memory of notifier twice a second. */
function watchMemory({ shop }: EventGround) {
  const now = async () => (await residentMegabytes(shop.services.notifier.pid())) ?? 0
  const seen = [now()]
  const timer = setInterval(() => seen.push(now()), 500)
  return {
    now,
    async stop(): Promise<{ start: number; peak: number; end: number }> {
      clearInterval(timer)
      const end = await now()
      const all = await Promise.all(seen)
      return { start: all[0] ?? 0, peak: Math.max(end, ...all), end }
    },
  }
}
