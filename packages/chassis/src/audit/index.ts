export {
  replyToReadActivity,
  mergeActivity,
  readActivity,
  totalOf,
  type ActivityFilter,
  type ActivitySource,
  type SourceEntry,
} from './activity.ts'
export { actorNames, namelessActor, type ActorNames } from './actor-names.ts'
export { isOneOf, type AuditRow } from './audit-entries.queries.ts'
export { auditListOf, auditPage, AuditPageQuery, MAX_AUDIT_TOTAL } from './audit-page.ts'
export { auditSource, changeSentence } from './audit-source.ts'
export { type AuditedFields } from './changed-fields.ts'
export { changesOf } from './changes-of.ts'
export { LEFT_OUT } from './leave-out-secret.ts'
export { AuditList, readAuditPage } from './read-audit-page.ts'
export { actorIdOf, recordAction, recordChange, type AuditSubject } from './record-change.ts'
