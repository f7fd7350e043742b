import { cpus, totalmem, type } from 'node:os'

/** The machine that a number belongs to. */
export function describeMachine(): string {
  const processors = cpus()
  const gib = Math.round(totalmem() / 1024 ** 3)
  return [
    `${processors.length} cores (${processors[0]?.model.trim() ?? 'unknown'}), ${gib} GiB, ${type()}`,
    `Node ${process.version}; load generator, six services, PostgreSQL, Redis and NATS share it.`,
    '',
  ].join('\n')
}
