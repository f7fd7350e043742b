import { readdir, readFile } from 'node:fs/promises'

/** Linux counts CPU time in hundredths of a second. */
const TICK_MS = 10

interface RunningProcess {
  pid: number
  parent: number
  /** CPU time since it started. */
  ms: number
  /** The same of its child processes that have ended. */
  endedChildrenMs: number
}

/** Every process of the machine; none where the system does not report them. */
export async function readProcesses(): Promise<RunningProcess[]> {
  const names = await readdir('/proc').catch(() => [])
  return Promise.all(
    names
      .filter((name) => /^\d+$/.test(name))
      .map(async (name) => {
        const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')
        // The command in brackets may hold spaces; the numbers follow it.
        const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
        const timeOf = (first: number) => (Number(fields[first] ?? 0) + Number(fields[first + 1] ?? 0)) * TICK_MS
        return { pid: Number(name), parent: Number(fields[1] ?? 0), ms: timeOf(11), endedChildrenMs: timeOf(13) }
      }),
  )
}
