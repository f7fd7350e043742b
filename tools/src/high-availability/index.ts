export { databaseHomes } from './database-homes.ts'
export {
  etcdLeader,
  missingReplicas,
  moveEtcdLeader,
  moveNatsLeader,
  moveRedisPrimary,
  natsLeader,
  postgresPrimary,
  redisPrimary,
  synchronousStandby,
} from './leaders.ts'
export type { PostgresPrograms } from '../infrastructure/debian-postgres.ts'
export type { EngineProgram } from './find-programs.ts'
export type { Machine } from './machine.ts'
export { MACHINE_NAMES, type Cut, type MachineName } from './network.ts'
export { PORTS } from './ports.ts'
export { startCluster, type RunningCluster } from './start-cluster.ts'
