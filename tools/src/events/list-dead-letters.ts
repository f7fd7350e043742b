import type { EventArguments } from './event-arguments.ts'
import { getDeadLetter, readDeadLetters } from './dead-letters.ts'
import type { ShopStreams } from './shop-streams.ts'
import type { RunContext } from './terminal.ts'
import { printable, textTable } from './text-table.ts'
import { withoutSecrets } from './without-secrets.ts'

const HEAD = ['SEQUENCE', 'SERVICE', 'EVENT', 'ID', 'WHEN', 'REASON']

export async function listDeadLetters(
  streams: ShopStreams,
  wanted: Pick<EventArguments, 'event' | 'service'>,
  { terminal, signal }: RunContext,
): Promise<void> {
  const letters = await readDeadLetters(streams, wanted, signal)
  const rows = letters.map(({ sequence, service, eventName, eventId, at, reason }) => [
    String(sequence),
    service ?? '?',
    eventName,
    eventId,
    at,
    reason,
  ])
  terminal.out(rows.length === 0 ? 'There are no dead letters.\n' : textTable(HEAD, rows))
}

export async function showDeadLetter(
  streams: ShopStreams,
  { sequence, full }: { sequence: number; full: boolean },
  { terminal }: RunContext,
): Promise<void> {
  const { headers, subject, stored, payload } = await getDeadLetter(streams, sequence)
  const { event, fault } = stored
  const head: [string, string][] = [['Subject', subject], ...headers]
  const width = Math.max(...head.map(([name]) => name.length))
  for (const [name, value] of head) terminal.out(`${name.padEnd(width)}  ${printable(value)}\n`)
  if (fault !== undefined) terminal.out(`\nIt cannot be read: ${printable(fault)}.\n`)
  if (event !== undefined) {
    terminal.out(`\n${JSON.stringify({ ...event, data: withoutSecrets(event.data, { full }) }, null, 2)}\n`)
  } else if (full) {
    terminal.out(`\n${new TextDecoder().decode(payload).split('\n').map(printable).join('\n')}\n`)
  }
  if (!full) terminal.out('\nWithout personal data; --full shows it all.\n')
}
