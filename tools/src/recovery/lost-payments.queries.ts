import type { ClientBase } from 'pg'
import type { ProviderPayment, ProviderRefund } from './provider-account.ts'

/** Those of these payments that the shop has as captured, as `provider reference`. */
export async function recordedPayments(client: ClientBase, payments: readonly ProviderPayment[]): Promise<Set<string>> {
  const { rows } = await client.query<{ key: string }>(
    `select p.provider || ' ' || p.reference as key
     from unnest($1::text[], $2::text[]) as t (provider, reference) join orders.payments p using (provider, reference)
     where p.status = 'captured'`,
    [payments.map(({ provider }) => provider), payments.map(({ reference }) => reference)],
  )
  return new Set(rows.map(({ key }) => key))
}

/** Those of these checkouts that the shop knows. */
export async function knownCheckouts(client: ClientBase, checkouts: readonly string[]): Promise<Set<string>> {
  const { rows } = await client.query<{ id: string }>('select id from orders.payment_sessions where id = any($1)', [
    checkouts,
  ])
  return new Set(rows.map(({ id }) => id))
}

/** Those of these refunds that the shop has, as `provider reference`. */
export async function recordedRefunds(client: ClientBase, refunds: readonly ProviderRefund[]): Promise<Set<string>> {
  const { rows } = await client.query<{ key: string }>(
    `select r.provider || ' ' || r.reference as key
     from unnest($1::text[], $2::text[]) as t (provider, reference) join orders.refunds r using (provider, reference)`,
    [refunds.map(({ provider }) => provider), refunds.map(({ reference }) => reference)],
  )
  return new Set(rows.map(({ key }) => key))
}
