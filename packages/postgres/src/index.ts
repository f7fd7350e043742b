export { attemptLog, type GuessAttempt } from './attempts.ts'
export { isDatabaseTimeout, isOutage, violatedConstraint } from './database-errors.ts'
export {
  afterCommit,
  type AnyTransaction,
  createDatabase,
  markForRelay,
  onEventsCommitted,
  snapshot,
  transaction,
} from './database.ts'
export { assertMigrated, compareMigrations, createSchemaAt, migrateSchema } from './migrate.ts'
export { plannedOnce } from './planned-once.ts'
export { type RetentionRule, startRetention } from './retention.ts'
