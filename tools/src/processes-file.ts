import { join } from 'node:path'
import { z } from 'zod'
import { writeFileAtomically } from './files.ts'
import { stopLeftover } from './infrastructure/child-process.ts'
import { processIdentity } from './infrastructure/process-identity.ts'
import { readJson } from './read-json.ts'
import { StartError } from './start-error.ts'

const Processes = z.record(
  z.string(),
  z.object({ pid: z.int().positive().optional(), port: z.int().positive(), identity: z.string().optional() }),
)

export type Processes = z.output<typeof Processes>

/** Writes the process and port of each service, for people and tools that need to examine or end one. */
export function writeProcesses(
  dataDir: string,
  services: Iterable<[name: string, pid: number | undefined, port: number]>,
): void {
  const processes: Processes = {}
  for (const [name, pid, port] of services) {
    processes[name] = { port, ...(pid !== undefined && { pid, identity: processIdentity(pid) }) }
  }
  try {
    writeFileAtomically(processesPath(dataDir), `${JSON.stringify(processes, null, 2)}\n`)
  } catch {
    // When the disk is full, this file is not written, but the services must continue.
  }
}

export function readProcesses(dataDir: string): Processes {
  return readJson(processesPath(dataDir), Processes) ?? {} // The file is only a convenience.
}

/** Ends services that a launcher left behind when it was killed. */
export async function endLeftoverServices(dataDir: string): Promise<void> {
  await Promise.all(
    Object.entries(readProcesses(dataDir)).map(async ([name, { pid, identity }]) => {
      if (pid === undefined || identity === undefined || (await stopLeftover(pid, identity, 'SIGTERM'))) return
      throw new StartError(`The ${name} of an earlier run (process ${pid}) does not end: end it, then start again.`)
    }),
  )
}

function processesPath(dataDir: string): string {
  return join(dataDir, 'processes.json')
}
