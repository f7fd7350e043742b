import type { Money } from '@storefront/contracts'

/** A checkout as a provider is told of it. */
export interface SessionToOpen {
  /** Ours, `pay_…`. A provider that is asked twice with the same id opens one session. */
  id: string
  orderId: string
  total: Money
  email: string
  /** What the buyer is told that he pays for. */
  description: string
  storeName: string
  /** Where the buyer goes afterwards, placeholders filled in; the provider's own page when there is none. */
  successUrl: string | undefined
  cancelUrl: string | undefined
  expiresAt: Date
}

export interface OpenedSession {
  /** The provider's name for it. */
  providerSession: string
  /** Where the buyer pays; none when the storefront opens the provider's form by itself. */
  url: string | undefined
  /** The public key with which the provider's form is to be opened; none where there is no such form. */
  keyId?: string
}

/** What a provider's form hands to the storefront when the buyer has paid, signed by the provider. */
export interface SignedResult {
  providerSession: string
  reference: string
  signature: string
}

/** What a provider says of the money of a session or an order, by whatever way the news came. */
export interface PaymentNews {
  kind: 'payment'
  provider: string
  /** `cancelled` is the buyer who turned back, `expired` the provider that lets nobody pay any more. */
  status: 'authorized' | 'captured' | 'failed' | 'cancelled' | 'expired'
  /** The provider's name for the payment; a refund needs it. Without it no money moved. */
  reference: string | undefined
  /** Ours, or else the provider's name for the session. */
  sessionId: string | undefined
  providerSession: string | undefined
  /** For a payment of an order that was placed before its money came. */
  orderId: string | undefined
  amount: Money | undefined
  method: string | undefined
}

/** What a provider says of money that goes back, also when somebody sent it back in the provider's own pages. */
export interface RefundNews {
  kind: 'refund'
  provider: string
  status: 'pending' | 'succeeded' | 'failed'
  /** The provider's name for the refund. */
  reference: string
  /** Ours, when we asked for it. */
  refundId: string | undefined
  paymentReference: string
  amount: Money
}

export type ProviderNews = PaymentNews | RefundNews

export interface RefundToMake {
  /** Ours, `refund_…`. A provider that is asked twice with the same id gives money back once. */
  id: string
  paymentReference: string
  amount: Money
  reason: string | undefined
}

export interface MadeRefund {
  reference: string
  status: 'pending' | 'succeeded'
}

/** Bytes and headers of a webhook as they came. */
export interface IncomingWebhook {
  body: Buffer
  headers: Readonly<Record<string, string | string[] | undefined>>
}

/** A webhook whose signature is right. */
export interface VerifiedWebhook {
  /** The provider's name for the event: it may come again. */
  eventId: string
  type: string
}

/**
 * Somebody who takes money. Every call has a deadline of its own and may be repeated.
 *
 * Calls fail with `ProviderUnavailable` when nobody knows whether they had an effect, and with `ProviderRefusal` when the
 * provider said no.
 */
export interface PaymentProvider {
  readonly name: string
  /** Whether the merchant has given everything it needs. */
  isConfigured(): boolean
  openSession(session: SessionToOpen): Promise<OpenedSession>
  /** Lets nobody pay there any more; a provider that cannot do that does nothing. */
  closeSession(session: { id: string; providerSession: string }): Promise<void>
  /** What became of a session; nothing while the buyer is still thinking. */
  inspectSession(session: { id: string; providerSession: string | null }): Promise<PaymentNews | undefined>
  refund(refund: RefundToMake): Promise<MadeRefund>
  /** What became of a refund whose answer got lost or that was pending; undefined when the provider knows none. */
  inspectRefund(refund: RefundToMake & { reference: string | null }): Promise<RefundNews | undefined>
  /** @throws Refusal `bad_signature`, also when it is older than the provider's own tolerance */
  verifyWebhook(webhook: IncomingWebhook): VerifiedWebhook | Promise<VerifiedWebhook>
  /** What a stored webhook means; nothing when it is about something else. @throws Error when it cannot be read */
  readWebhook(body: Buffer): ProviderNews | undefined
  /**
   * For a provider whose form runs in the storefront: checks what the form handed over, takes the money if it is only
   * promised, and says what became of it; nothing when the provider knows no such payment of this session.
   * @throws Refusal `bad_signature` before anything is asked
   */
  verifyResult?(result: SignedResult): Promise<PaymentNews | undefined>
}

/** Nobody knows what became of a call: a time-out, a broken connection, an answer of 5xx or 429. */
export class ProviderUnavailable extends Error {
  readonly provider: string

  constructor(provider: string, cause: unknown) {
    super(`${provider} does not answer as it should`, { cause })
    this.name = 'ProviderUnavailable'
    this.provider = provider
  }
}

/** The provider understood and said no; nothing has changed there. */
export class ProviderRefusal extends Error {
  readonly provider: string
  /** What the provider calls the reason. */
  readonly reason: string

  constructor(provider: string, reason: string) {
    super(`${provider} refused: ${reason}`)
    this.name = 'ProviderRefusal'
    this.provider = provider
    this.reason = reason
  }
}
