import { z } from 'zod'
import { fault, ok, warn, type Finding } from './finding.ts'

/** A daily backup, with two hours for it to run. */
export const OLD_HOURS = 26
const CHECK = 'base backup'

const Stanzas = z.array(
  z.object({
    name: z.string(),
    status: z.object({ code: z.number(), message: z.string() }),
    backup: z.array(
      z.object({
        type: z.string(),
        error: z.boolean().nullish(),
        /** Seconds since 1970. */
        timestamp: z.object({ stop: z.number() }),
      }),
    ),
    archive: z.array(z.object({ max: z.string().nullable() })),
  }),
)

/** @param report the output of `pgbackrest info --output=json` @throws ZodError when it has another form */
export function baseBackupFinding(report: unknown, stanza: string, now: Date): Finding {
  const found = Stanzas.parse(report).find(({ name }) => name === stanza)
  const complete = found?.backup.filter(({ error }) => error !== true) ?? []
  const newest = complete.toSorted((one, other) => one.timestamp.stop - other.timestamp.stop).at(-1)
  if (found === undefined || newest === undefined) {
    const reason = found === undefined ? 'there is no such stanza' : found.status.message
    return fault(CHECK, `none of ${stanza} (${reason})`, `Make one with pgbackrest --stanza=${stanza} backup.`)
  }
  const hours = Math.max(0, (now.getTime() / 1000 - newest.timestamp.stop) / 3600)
  const log = found.archive.at(-1)?.max
  const text = `${newest.type}, ${hours.toFixed(1)} hours old, ${log ? `the log until ${log}` : 'without a log'}`
  if (found.status.code !== 0) {
    return fault(
      CHECK,
      `${text}: ${found.status.message}`,
      `Read the output of pgbackrest info and of pgbackrest --stanza=${stanza} check.`,
    )
  }
  if (!log) {
    const advice = `Run pgbackrest --stanza=${stanza} check: a backup cannot be restored without its log.`
    return fault(CHECK, text, advice)
  }
  if (hours < OLD_HOURS) return ok(CHECK, text)
  return warn(CHECK, text, `Make a new one with pgbackrest --stanza=${stanza} backup, and check the job that does.`)
}
