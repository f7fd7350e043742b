import { errors } from '@nats-io/transport-node'
import { messageOf, StartError } from '../start-error.ts'
import { showTransferProgress } from '../transfer/transfer-progress.ts'
import { WrongArguments, type EventArguments } from './event-arguments.ts'
import { listConsumers } from './list-consumers.ts'
import { listDeadLetters, showDeadLetter } from './list-dead-letters.ts'
import { dropDeadLetter, replayDeadLetters } from './replay-dead-letters.ts'
import { recoverEvents } from './recover-events.ts'
import { replayEvents } from './replay-events.ts'
import { openShopStreams, type ShopStreams } from './shop-streams.ts'
import { tailEvents } from './tail-events.ts'
import type { RunContext } from './terminal.ts'

/** Runs the command, and closes the connection in any case. */
export async function runEvents(wanted: EventArguments, context: RunContext): Promise<void> {
  const streams = await openShopStreams(context.env, { reconnects: wanted.command === 'tail' })
  try {
    await runOnStreams(streams, wanted, context)
  } finally {
    await streams.close()
  }
}

/** @throws StartError also when NATS becomes unavailable meanwhile */
export async function runOnStreams(streams: ShopStreams, wanted: EventArguments, context: RunContext): Promise<void> {
  try {
    await execute(streams, wanted, context)
  } catch (error) {
    if (!isAway(error)) throw error
    throw new StartError(`NATS no longer responds (${messageOf(error)}): run the command again when NATS is up.`)
  }
}

const AWAY = [
  errors.ClosedConnectionError,
  errors.ConnectionError,
  errors.DrainingConnectionError,
  errors.NoRespondersError,
  errors.RequestError,
  errors.TimeoutError,
]

function isAway(error: unknown): boolean {
  return AWAY.some((kind) => error instanceof kind)
}

async function execute(streams: ShopStreams, wanted: EventArguments, context: RunContext): Promise<void> {
  switch (wanted.command) {
    case 'tail':
      return tailEvents(streams, wanted, context)
    case 'replay': {
      const progress = showTransferProgress(process.stderr, () => performance.now())
      await replayEvents(streams, wanted, { ...context, progress })
      return
    }
    case 'recover':
      await recoverEvents(streams, wanted, context)
      return
    case 'consumers':
      return listConsumers(streams, wanted, context)
    case 'dead-letters list':
      return listDeadLetters(streams, wanted, context)
    case 'dead-letters show':
      return showDeadLetter(streams, { ...wanted, sequence: sequenceOf(wanted) }, context)
    case 'dead-letters replay':
      await replayDeadLetters(streams, wanted, context)
      return
    case 'dead-letters drop':
      await dropDeadLetter(streams, { ...wanted, sequence: sequenceOf(wanted) }, context)
  }
}

function sequenceOf({ sequence }: EventArguments): number {
  if (sequence === undefined) throw new WrongArguments('Name the dead letter by its number.')
  return sequence
}
