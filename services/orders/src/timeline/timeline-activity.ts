import { changesOf, type ActivitySource } from '@storefront/audit'
import type { Database } from '../database.ts'
import { labelOf } from './label.ts'
import { countStepsByAdmins, findStepsByAdmins } from './timeline.queries.ts'

/** Timeline entries that admins caused, for the list of all admin activity. Automatic entries are not part of it. */
export function timelineActivity(db: Database): ActivitySource {
  return {
    name: 'timeline',
    kinds: ['order'],
    async find(filter, page) {
      const steps = await findStepsByAdmins(db, filter, page)
      return steps.map(({ number, at, kind, actor, detail, orderId, orderNumber, locale }) => {
        const changes = changesOf(null, detail)
        return {
          number,
          at: at.toISOString(),
          actorId: actor,
          action: kind,
          subject: { kind: 'order', id: orderId, name: orderNumber },
          summary: `${orderNumber}: ${labelOf(kind, detail, locale)}`,
          ...(changes && { changes }),
        }
      })
    },
    count: (filter, most) => countStepsByAdmins(db, filter, most),
  }
}
