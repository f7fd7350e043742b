import { listOf } from '@storefront/contracts'
import { TimelineStep } from '../src/timeline/timeline-step.ts'
import type { Shop } from './shop.ts'

/** The timeline of an order, as an admin sees it. */
export async function timelineOf(shop: Pick<Shop, 'call' | 'suite'>, id: string) {
  const { body } = await shop.call('GET', `/admin/orders/${id}/timeline`, undefined, shop.suite.headers.admin())
  return listOf(TimelineStep).parse(body).items
}
