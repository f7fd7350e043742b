import { processRequests } from '@storefront/jobs'
import { publish } from '@storefront/messaging'
import { transaction } from '@storefront/postgres'
import type { Clock, Timer } from '@storefront/service'
import { AlertMailsRequested, mailboxOf, newId } from '@storefront/contracts'
import type { CatalogContext } from '../context.ts'
import type { Tx } from '../database.ts'
import { decideRequest } from './alert.ts'
import { findAlertRequests, takeAlertRequest, type AlertRequest } from './alert-requests.queries.ts'
import { alertedProduct } from './alerted-product.ts'
import { findAlertedVariants, findPublishedProduct } from './alerted-product.queries.ts'
import { countAlerts, findOpenAlert, insertAlert, renewAlert, tryLockMailbox } from './alerts.queries.ts'

type Context = Pick<CatalogContext, 'db' | 'clock' | 'log' | 'publicUrl'>

/** More than the number of replicas, so that each finds another mailbox. */
const OLDEST = 20

/** Stores alerts and requests their confirmation after the response to the request: see `requestAlertRoute`. */
export function processAlertRequests({ db, clock, log, publicUrl }: Context): Timer {
  return processRequests('alert requests', log, () => transaction(db, (tx) => processOne(tx, clock, publicUrl)))
}

/** @returns false when there was nothing to do */
async function processOne(tx: Tx, clock: Clock, publicUrl: string): Promise<boolean> {
  const next = await lockNext(tx)
  if (!next) return false
  const { id, mailbox } = next
  const request = await takeAlertRequest(tx, id)
  // Another replica has processed it in the meantime.
  if (!request) return true
  const now = clock.now()
  const product = await findPublishedProduct(tx, request.productId)
  const variants = product ? await findAlertedVariants(tx, product.id) : []
  const variant = variants.find(({ id }) => id === request.variantId)
  // The product or variant has been hidden or deleted since the request.
  if (!product || (request.variantId !== null && !variant)) return true
  const alertId = await storeAlert(tx, request, mailbox, now)
  if (alertId === undefined) return true
  await publish(
    tx,
    AlertMailsRequested,
    {
      kind: 'alertConfirmation',
      about: request.kind,
      product: alertedProduct(product, variant, publicUrl),
      mails: [{ alertId, to: request.email, unproven: { senders: [...request.senders] } }],
    },
    now,
  )
  return true
}

/**
 * Locks the mailbox of the oldest request whose mailbox is not locked. It is locked before the request, as in the
 * deletion of a person's alerts, which could otherwise find neither the request nor the alert.
 */
async function lockNext(tx: Tx): Promise<{ id: number; mailbox: string } | undefined> {
  const requests = await findAlertRequests(tx, OLDEST)
  for (const [mailbox, [oldest]] of Map.groupBy(requests, ({ email }) => mailboxOf(email))) {
    if (oldest && (await tryLockMailbox(tx, mailbox))) return { id: oldest.id, mailbox }
  }
  return undefined
}

/** @returns the alert whose confirmation is to be requested; undefined when no mail is due */
async function storeAlert(tx: Tx, request: AlertRequest, mailbox: string, now: Date): Promise<string | undefined> {
  const known = await findOpenAlert(tx, request)
  const decision = decideRequest(known, await countAlerts(tx, mailbox), now)
  if (decision === 'nothing') return undefined
  if (known) {
    await renewAlert(tx, known.id, request, now)
    return known.id
  }
  const id = newId('alert')
  await insertAlert(tx, id, request, now)
  return id
}
