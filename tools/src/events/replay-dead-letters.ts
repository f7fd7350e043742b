import { StartError } from '../start-error.ts'
import { faultOfReplay, getDeadLetter, readDeadLetters, removeDeadLetter, type DeadLetter } from './dead-letters.ts'
import type { EventArguments } from './event-arguments.ts'
import { isTooOld, republisher } from './publish-again.ts'
import type { ShopStreams } from './shop-streams.ts'
import type { RunContext } from './terminal.ts'

/**
 * Publishes events of dead letters again. All consumers receive them, and those that processed them ignore them. A dead
 * letter is removed after JetStream has stored the event, so that after a crash it can be replayed again.
 * @returns how many were replayed
 * @throws StartError when some could not be replayed, after the others were
 */
export async function replayDeadLetters(
  streams: ShopStreams,
  wanted: Pick<EventArguments, 'sequence' | 'event' | 'service' | 'yes' | 'force'>,
  { terminal, signal, now }: RunContext,
): Promise<number> {
  const letters =
    wanted.sequence === undefined
      ? await readDeadLetters(streams, wanted, signal)
      : [await getDeadLetter(streams, wanted.sequence)]
  const faults = new Map(letters.map((letter) => [letter, faultOf(letter, { force: wanted.force, now })]))
  const possible = letters.filter((letter) => faults.get(letter) === undefined)
  const impossible = [...faults.values()].filter((fault) => fault !== undefined)
  for (const fault of impossible) terminal.note(`${fault}\n`)
  if (letters.length === 0) terminal.out('There are no dead letters to replay.\n')
  if (wanted.sequence === undefined && possible.length > 0 && !wanted.yes) {
    const question = `Replay ${possible.length} of ${letters.length} dead letters?`
    if (!(await terminal.confirm(question, signal))) return 0
  }
  const publishAgain = republisher(streams)
  let done = 0
  for (const { sequence, stored, payload } of possible) {
    if (signal.aborted) break
    if (stored.definition === undefined) continue
    await publishAgain(stored.event, stored.definition, payload, `dead:${sequence}`)
    await removeDeadLetter(streams, sequence)
    terminal.out(`${sequence}  ${stored.event.name}  ${stored.event.id}  published again\n`)
    done += 1
  }
  if (impossible.length > 0)
    throw new StartError(`${impossible.length} of ${letters.length} dead letters could not be replayed.`)
  return done
}

/** @returns why this dead letter must not be replayed, as a sentence; undefined when it may */
function faultOf(letter: DeadLetter, { force, now }: { force: boolean; now: Date }): string | undefined {
  const { definition, event } = letter.stored
  const fault = faultOfReplay(letter)
  if (fault !== undefined || definition === undefined) return fault
  // With a single consumer, no other one could process it twice.
  if (force || definition.consumers.length === 1 || !isTooOld(event, now)) return undefined
  const others = definition.consumers.filter((service) => service !== letter.service).join(', ')
  return `Dead letter ${letter.sequence} is older than seven days: ${others} may have deleted their receipts and process it twice. Read it first; --force replays it anyway.`
}

/** Removes a dead letter permanently. @returns whether it was removed */
export async function dropDeadLetter(
  streams: ShopStreams,
  { sequence, yes }: { sequence: number; yes: boolean },
  { terminal, signal }: RunContext,
): Promise<boolean> {
  const { eventName, eventId, service } = await getDeadLetter(streams, sequence)
  const question = `Permanently drop ${eventName} ${eventId}, which ${service ?? 'an unknown service'} never processed?`
  if (!yes && !(await terminal.confirm(question, signal))) return false
  await removeDeadLetter(streams, sequence)
  terminal.out(`${sequence}  dropped\n`)
  return true
}
