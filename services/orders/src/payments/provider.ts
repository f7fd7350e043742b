import type { Money } from '@storefront/contracts'

/** A checkout as it is sent to a provider. */
export interface SessionToOpen {
  /** Our id, `pay_…`. A provider that gets the same id twice opens one session. */
  id: string
  orderId: string
  total: Money
  email: string
  /** What the buyer sees as the purpose of the payment. */
  description: string
  storeName: string
  /** Where the buyer goes afterwards, placeholders filled in; the provider's own page when it is missing. */
  successUrl: string | undefined
  cancelUrl: string | undefined
  expiresAt: Date
}

export interface OpenedSession {
  /** The provider's id of the session. */
  providerSession: string
  /** Where the buyer pays; none when the storefront opens the provider's form itself. */
  url: string | undefined
}

/** The result of a provider's form in the storefront after the payment, signed by the provider. */
export interface SignedResult {
  providerSession: string
  reference: string
  signature: string
}

/** A provider's update of the payment of a session or an order, whatever way it arrived. */
export interface PaymentUpdate {
  kind: 'payment'
  provider: string
  /** `cancelled`: the buyer turned back; `expired`: the provider no longer accepts a payment. */
  status: 'authorized' | 'captured' | 'failed' | 'cancelled' | 'expired'
  /** The provider's reference of the payment; a refund needs it. Without it no money was taken. */
  reference: string | undefined
  /** Our id, or else the provider's id of the session. */
  sessionId: string | undefined
  providerSession: string | undefined
  /** For a payment of an order that was placed before its payment. */
  orderId: string | undefined
  amount: Money | undefined
  method: string | undefined
}

/** A provider's update of a refund, including refunds made in the provider's dashboard. */
export interface RefundUpdate {
  kind: 'refund'
  provider: string
  status: 'pending' | 'succeeded' | 'failed'
  /** The provider's reference of the refund. */
  reference: string
  /** Our id, when we requested it. */
  refundId: string | undefined
  paymentReference: string
  amount: Money
}

export type ProviderUpdate = PaymentUpdate | RefundUpdate

export interface RefundToMake {
  /** Our id, `refund_…`. A provider that gets the same id twice refunds once. */
  id: string
  paymentReference: string
  amount: Money
  reason: string | undefined
}

interface MadeRefund {
  reference: string
  status: 'pending' | 'succeeded'
}

/** Bytes and headers of a webhook as received. */
export interface IncomingWebhook {
  body: Buffer
  headers: Readonly<Record<string, string | string[] | undefined>>
}

/** A webhook with a valid signature. */
export interface VerifiedWebhook {
  /** The provider's id of the event: the event may be sent again. */
  eventId: string
  type: string
}

/**
 * A payment provider. Every call has a deadline of its own and may be repeated.
 *
 * Calls fail with `ProviderUnavailable` when it is unknown whether they had an effect, and with `ProviderRejection`
 * when the provider rejected them.
 */
export interface PaymentProvider {
  readonly name: string
  /** Whether the merchant has configured everything it needs. */
  isConfigured(): boolean
  openSession(session: SessionToOpen): Promise<OpenedSession>
  /** Closes a session, so that it can no longer be paid; does nothing where the provider has no such call. */
  closeSession(session: { id: string; providerSession: string }): Promise<void>
  /** The result of a session; nothing while the buyer has not decided. */
  inspectSession(session: { id: string; providerSession: string | null }): Promise<PaymentUpdate | undefined>
  refund(refund: RefundToMake): Promise<MadeRefund>
  /** The result of a refund whose response was lost or that was pending; undefined when the provider has none. */
  inspectRefund(refund: RefundToMake & { reference: string | null }): Promise<RefundUpdate | undefined>
  /** @throws HttpError `bad_signature`, also when it is older than the provider's own tolerance */
  verifyWebhook(webhook: IncomingWebhook): VerifiedWebhook | Promise<VerifiedWebhook>
  /** What a stored webhook means; nothing when it is about something else. @throws Error when it cannot be read */
  readWebhook(body: Buffer): ProviderUpdate | undefined
  /**
   * For a provider whose form runs in the storefront: verifies the result of the form, captures a payment that is only
   * authorized, and returns its state; nothing when the provider knows no such payment of this session.
   * @throws HttpError `bad_signature` before any call to the provider
   */
  verifyResult?(result: SignedResult): Promise<PaymentUpdate | undefined>
}

/** The effect of a call is unknown: a timeout, a broken connection, a response of 5xx or 429. */
export class ProviderUnavailable extends Error {
  readonly provider: string

  constructor(provider: string, cause: unknown) {
    super(`${provider} is unavailable`, { cause })
    this.name = 'ProviderUnavailable'
    this.provider = provider
  }
}

/** The provider understood the request and rejected it; nothing has changed there. */
export class ProviderRejection extends Error {
  readonly provider: string
  /** The provider's code of the reason. */
  readonly reason: string

  constructor(provider: string, reason: string) {
    super(`${provider} rejected the request: ${reason}`)
    this.name = 'ProviderRejection'
    this.provider = provider
    this.reason = reason
  }
}
