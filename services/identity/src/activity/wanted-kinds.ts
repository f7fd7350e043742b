import {
  ACTIVITY_PERMISSIONS,
  AUDITED_KINDS,
  AuditingService,
  type ActivityKind,
  type Permission,
} from '@storefront/contracts'
import { activityNotAllowed } from '../errors.ts'

/** The kinds of entries that a reader gets of each service; undefined is all of them. */
export type WantedKinds = ReadonlyMap<AuditingService, readonly ActivityKind[] | undefined>

/**
 * The kinds that a reader requests, without those that the permissions do not include.
 * @throws HttpError `forbidden` when none of them may be seen
 */
export function wantedKinds(
  permissions: readonly Permission[],
  { subject, service }: { subject?: ActivityKind | undefined; service?: AuditingService | undefined },
): WantedKinds {
  const wanted = AuditingService.options
    .filter((each) => service === undefined || each === service)
    .map((each) => ({
      service: each,
      kinds: kindsOf(each).filter((kind) => subject === undefined || kind === subject),
    }))
    .filter(({ kinds }) => kinds.length > 0)
  const visible = wanted
    .map(({ service, kinds }) => ({ service, kinds: kinds.filter((kind) => isShown(kind, permissions)) }))
    .filter(({ kinds }) => kinds.length > 0)
  if (visible.length === 0 && wanted.length > 0) {
    const missing = wanted.flatMap(({ kinds }) => kinds.map((kind) => ACTIVITY_PERMISSIONS[kind]))
    throw activityNotAllowed([...new Set(missing)])
  }
  // Without a condition the result includes kinds of newer versions, too.
  return new Map(
    visible.map(({ service, kinds }) => [service, kinds.length === kindsOf(service).length ? undefined : kinds]),
  )
}

function isShown(kind: ActivityKind, permissions: readonly Permission[]): boolean {
  return permissions.includes(ACTIVITY_PERMISSIONS[kind])
}

function kindsOf(service: AuditingService): readonly ActivityKind[] {
  return AUDITED_KINDS[service]
}
