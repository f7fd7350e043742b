import type { WorkerContext } from '../context.ts'
import type { Outcome } from './endpoint-outcomes.ts'
import { writeOutcomes, type Written } from './write-outcomes.ts'

export type OutcomeRecorder = ReturnType<typeof outcomeRecorder>

/** The results of attempts that are not written yet. @param written is called after each batch */
export function outcomeRecorder(
  { db, log, clock, worker }: Pick<WorkerContext, 'db' | 'log' | 'clock' | 'worker'>,
  written: (batch: readonly Outcome[], result: Written) => Promise<void>,
) {
  let outcomes: Outcome[] = []

  function report({ dead, disabled, paused }: Written): void {
    if (disabled.length > 0)
      log.error(
        { endpoints: disabled },
        'webhook endpoints were disabled; when they work again, enable them with POST /admin/webhooks/:id/enable',
      )
    if (paused.length > 0)
      log.warn({ endpoints: paused }, 'failing webhook endpoints are paused until a probe succeeds')
    if (dead.length > 0)
      log.error(
        { deliveries: dead },
        'webhook deliveries were given up; repeat them with POST /admin/webhooks/deliveries/:id/replay',
      )
  }

  return {
    add: (outcome: Outcome) => void outcomes.push(outcome),
    /** Results of an endpoint that are not written yet. */
    waitingOf: (endpointId: string) => outcomes.filter((outcome) => outcome.endpointId === endpointId),
    count: () => outcomes.length,
    /** Writes all of them, including those that arrive meanwhile; when the database fails, they are kept. */
    async write() {
      while (outcomes.length > 0) {
        const batch = outcomes
        outcomes = []
        let result: Written
        try {
          result = await writeOutcomes(db, worker, batch, clock.now())
        } catch (error) {
          outcomes = [...batch, ...outcomes]
          throw error
        }
        report(result)
        await written(batch, result)
      }
    },
  }
}
