export { anyUnlocked } from './any-unlocked.ts'
export { ASYNC_COMMIT } from './async-commit.ts'
export { attemptLog, type GuessAttempt } from './attempts.ts'
export {
  isDatabaseTimeout,
  isLockFailure,
  isOutage,
  isSerializationFailure,
  violatedConstraint,
} from './database-errors.ts'
export {
  afterCommit,
  type AnyTransaction,
  createDatabase,
  markForRelay,
  onEventsCommitted,
  snapshot,
  transaction,
} from './database.ts'
export { deleteRows } from './delete-rows.ts'
export { isOneOf } from './is-one-of.ts'
export { jsonTexts } from './json-texts.ts'
export { limitLockWaits } from './limit-lock-waits.ts'
export { appliedMigrations, assertMigrated, compareMigrations, createSchemaAt, migrateSchema } from './migrate.ts'
export { plannedOnce, plannedOnceIfFew } from './planned-once.ts'
export { ON_STANDBYS_AFTER_MS, readFromStandby, requireFreshStandby, writeHeartbeat, type ReadFrom } from './standby.ts'
export { type RetentionRule, SELDOM_MS, startRetention } from './retention.ts'
