import { setTimeout } from 'node:timers/promises'
import type { ServiceName } from '@storefront/contracts'
import type { RunningShop } from '@storefront/tools/launch'
import { readProcesses } from './processes.ts'

export interface Fault {
  name: string
  /** Resolves when the fault has ended; the parts that it broke may still be recovering. */
  inject: (shop: RunningShop) => Promise<void>
}

const GONE_MS = 5000
const SLOW_MS = 20_000
/** PostgreSQL runs for a quarter of each period of this many milliseconds. */
const SLICE_MS = 80

/** One a minute, in this order and again from the start. Every service dies, every server goes away. */
export const FAULTS: readonly Fault[] = [
  kill('cart'),
  { name: `Redis killed, ${GONE_MS / 1000} s away`, inject: ({ infrastructure }) => interrupt(infrastructure.redis) },
  kill('orders'),
  { name: `NATS killed, ${GONE_MS / 1000} s away`, inject: ({ infrastructure }) => interrupt(infrastructure.nats) },
  kill('catalog'),
  { name: `PostgreSQL at a quarter of its speed for ${SLOW_MS / 1000} s`, inject: slowPostgres },
  kill('gateway'),
  kill('notifier'),
  {
    name: `PostgreSQL killed, ${GONE_MS / 1000} s away`,
    inject: ({ infrastructure }) => interrupt(infrastructure.postgres),
  },
  kill('identity'),
]

function kill(service: ServiceName): Fault {
  return {
    name: `${service} killed`,
    inject: async ({ services }) => {
      await services[service].kill('SIGKILL')
      await services[service].waitReady()
    },
  }
}

async function interrupt(server: RunningShop['infrastructure']['redis']): Promise<void> {
  await server.kill()
  await setTimeout(GONE_MS)
  await server.start()
}

/** Stops and continues all of its processes one after the other: every request is slow. */
async function slowPostgres({ infrastructure }: RunningShop): Promise<void> {
  const { pid } = infrastructure.postgres
  const end = performance.now() + SLOW_MS
  while (performance.now() < end) {
    const processes = (await readProcesses()).filter((each) => each.pid === pid || each.parent === pid)
    const send = (signal: NodeJS.Signals) => {
      for (const each of processes) {
        try {
          process.kill(each.pid, signal)
        } catch {
          // A backend that has ended meanwhile.
        }
      }
    }
    send('SIGSTOP')
    try {
      await setTimeout((SLICE_MS * 3) / 4)
    } finally {
      send('SIGCONT')
    }
    await setTimeout(SLICE_MS / 4)
  }
}
