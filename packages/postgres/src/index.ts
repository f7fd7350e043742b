export { attemptLog, type GuessAttempt } from './attempts.ts'
export {
  afterCommit,
  type AnyTransaction,
  createDatabase,
  isDatabaseTimeout,
  isOutage,
  markForRelay,
  onEventsCommitted,
  snapshot,
  transaction,
  violatedConstraint,
} from './database.ts'
export { assertMigrated, compareMigrations, createSchemaAt, migrateSchema } from './migrate.ts'
export { plannedOnce } from './planned-once.ts'
export { type RetentionRule, startRetention } from './retention.ts'
