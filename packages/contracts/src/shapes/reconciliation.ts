import { z } from 'zod'
import { Timestamp } from './common.ts'

/** A discrepancy between orders, payments, holds and stock. */
export const Finding = z
  .object({
    kind: z.string().describe('Machine-readable code, such as refund_stuck. docs/reconciliation.md explains each.'),
    subject: z
      .string()
      .describe('The record concerned: an order, payment, refund, stock hold, variant, discount code or account.'),
    message: z.string().describe('For the operator: what is wrong, and what to do about it.'),
  })
  .meta({ id: 'Finding' })
export type Finding = z.output<typeof Finding>

/** The result of the last reconciliation, which checks that nothing is lost and nothing is sold twice. */
export const Reconciliation = z
  .object({
    items: z.array(Finding).describe('The discrepancies, the first thousand at most.'),
    total: z.int().nonnegative().describe('Number of findings, including those not in `items`.'),
    repaired: z.array(Finding).describe('Discrepancies that the comparison itself fixed.'),
    ok: z.boolean().describe('True when every service and provider replied and no discrepancy was found.'),
    unasked: z
      .array(z.string())
      .describe('catalog, cart, identity or payment providers that did not reply: their data was not compared.'),
    checkedAt: Timestamp.nullable().describe('When the comparison began, ISO 8601 UTC; null before the first.'),
    durationMs: z.int().nonnegative().describe('How long the comparison took, in milliseconds.'),
  })
  .meta({ id: 'Reconciliation' })
export type Reconciliation = z.output<typeof Reconciliation>
