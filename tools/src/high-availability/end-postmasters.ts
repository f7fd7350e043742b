import { join } from 'node:path'
import { leftoverPostmaster } from '../infrastructure/postgres-cluster.ts'
import { databaseHomes } from './database-homes.ts'

/**
 * Ends the PostgreSQL servers of a shop on three machines at once, after Patroni, which would start them again. Each
 * outlives its Patroni, and would keep the network of its machine in use: the next start would be rejected.
 * @param dataDir the absolute path of the shop's data folder
 */
export function endPostmasters(dataDir: string): void {
  const { inside, elsewhere } = databaseHomes(dataDir)
  for (const home of [...inside, ...elsewhere]) {
    try {
      const pid = leftoverPostmaster(join(home, 'postgres', 'data'))
      // With SIGQUIT it ends its own processes, too.
      if (pid !== undefined) process.kill(pid, 'SIGQUIT')
    } catch {
      // It has ended.
    }
  }
}
