import { createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { finished } from 'node:stream/promises'
import { z } from 'zod'
import { Action, Completion, type Operation } from './operation.ts'

const Entry = z.discriminatedUnion('type', [
  z.object({ type: z.literal('invoke'), id: z.int(), buyer: z.int(), atMs: z.number(), action: Action }),
  z.object({ type: z.literal('end'), id: z.int(), atMs: z.number(), completion: Completion }),
])
type Entry = z.output<typeof Entry>

/** Records what clients do, in memory and in a file of JSON lines that survives the end of this process. */
export interface History {
  /** Records that a request is about to be sent. @returns records its end, once */
  invoke: (buyer: number, action: Action) => (completion: Completion) => Operation
  /** All operations so far, in the order of their invocations. */
  operations: () => Operation[]
  /** Waits until everything is in the file. @throws Error when the file could not be written */
  close: () => Promise<void>
}

/**
 * Begins a new history.
 * @param path the file, which is replaced; its folder must exist
 * @param now the one clock of the history, in milliseconds
 */
export function openHistory(path: string, now: () => number = () => performance.now()): History {
  const entries: Entry[] = []
  const file = createWriteStream(path, { mode: 0o600 })
  // Without a listener a full disk would end the process, and with it the load.
  const written = finished(file)
  written.catch(() => {})
  const add = (entry: Entry): void => {
    entries.push(entry)
    file.write(`${JSON.stringify(entry)}\n`)
  }
  let count = 0
  return {
    invoke(buyer, action) {
      const id = count++
      const invokedAtMs = now()
      add({ type: 'invoke', id, buyer, atMs: invokedAtMs, action })
      return (completion) => {
        const endedAtMs = now()
        add({ type: 'end', id, atMs: endedAtMs, completion })
        return { id, buyer, action, invokedAtMs, endedAtMs, ...completion }
      }
    },
    operations: () => fold(entries),
    async close() {
      file.end()
      await written
    },
  }
}

/**
 * Reads a history from its file. An operation without an end is `unknown`: its process ended before.
 * @throws Error for a line that is not an entry, except an incomplete last one
 */
export async function readHistory(path: string): Promise<Operation[]> {
  const lines = (await readFile(path, 'utf8')).split('\n')
  // A process that was killed may have written a part of its last line.
  lines.pop()
  return fold(lines.map((line) => Entry.parse(JSON.parse(line))))
}

function fold(entries: readonly Entry[]): Operation[] {
  const operations = new Map<number, Operation>()
  for (const entry of entries) {
    if (entry.type === 'invoke') {
      const { id, buyer, action, atMs } = entry
      operations.set(id, { id, buyer, action, invokedAtMs: atMs, endedAtMs: Infinity, outcome: 'unknown' })
      continue
    }
    const begun = operations.get(entry.id)
    if (!begun) throw new Error(`operation ${entry.id} ended and was never invoked`)
    operations.set(entry.id, { ...begun, endedAtMs: entry.atMs, ...entry.completion })
  }
  return [...operations.values()]
}
