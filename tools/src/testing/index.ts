export { amount } from './amount.ts'
export {
  findArchivePrograms,
  makePostgresArchive,
  type ArchivedPostgres,
  type PostgresArchive,
} from './archived-postgres.ts'
export { builtProgram } from './built-program.ts'
export { callerOf, type TestResponse } from './call-app.ts'
export {
  findPostgresOfDebian,
  startDebianPostgres,
  startDebianStandby,
  type DebianPostgres,
} from './debian-postgres.ts'
export { holdAtRow, type HeldRow, type RowToHold } from './hold-at-row.ts'
export { startMailServer } from './mail-server.ts'
export { migrateFrom } from './older-schema.ts'
export { startNatsCluster, type NatsCluster } from './nats-cluster.ts'
export { startRedisWithSentinels, type RedisWithSentinels } from './redis-sentinels.ts'
export { NO_RATE_LIMITS, scriptEnvironment } from './script-environment.ts'
export * from './suite.ts'
export { startOwnNats, startOwnRedis, type OwnNats, type OwnRedis } from './own-servers.ts'
export { priceSettings } from './price-settings.ts'
export { openTcpProxy, type TcpProxy } from './tcp-proxy.ts'
export { temporaryFolder } from './temporary-folder.ts'
export { lockWaiters, waitForLock } from './wait-for-lock.ts'
export { expectLedgerBalanced } from './ledger.ts'
export { waitFor } from '@storefront/service/testing'
export { waitForFinding, type ExpectedFinding } from './wait-for-finding.ts'
export { createNamespace, deleteNamespace, STREAM_MAX_BYTES } from './namespace.ts'
export { packageCache, type SharedServers } from './global-setup.ts'
export * from './fake-razorpay.ts'
export * from './fake-server.ts'
export * from './fake-stripe.ts'
