import { join } from 'node:path'
import { clusterElsewhere } from '../infrastructure/postgres-cluster.ts'
import { MACHINE_NAMES } from './network.ts'

/**
 * The folders in which the machines of a shop may have their databases: their own, and as root others outside of the
 * data folder.
 * @param dataDir the absolute path of the shop's data folder
 */
export function databaseHomes(dataDir: string): { inside: string[]; elsewhere: string[] } {
  const inside = MACHINE_NAMES.map((name) => join(dataDir, name))
  return { inside, elsewhere: inside.map(clusterElsewhere) }
}
