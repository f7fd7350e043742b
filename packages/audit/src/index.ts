export {
  type ActivityFilter,
  type ActivitySource,
  mergeActivity,
  readActivity,
  replyToReadActivity,
  type SourceEntry,
  totalOf,
} from './activity.ts'
export { actorNames, type ActorNames, namelessActor, SCHEDULE } from './actor-names.ts'
export type { AuditRow } from './audit-entries.queries.ts'
export { auditListOf, AuditPageQuery, MAX_AUDIT_TOTAL, periodOf } from './audit-page.ts'
export { auditSource, changeSentence } from './audit-source.ts'
export type { AuditedFields } from './changed-fields.ts'
export { changesOf } from './changes-of.ts'
export { LEFT_OUT } from './leave-out-secret.ts'
export { AuditList, readAuditPage } from './read-audit-page.ts'
export { actorIdOf, recordAction, recordChange, recordChanges } from './record-change.ts'
