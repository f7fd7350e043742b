import type { z } from 'zod'
import { messageOf, StartError } from '../start-error.ts'

/** A payment that a provider has captured. */
export interface ProviderPayment {
  provider: string
  reference: string
  /** In the provider's smallest unit of the currency. */
  amount: number
  currency: string
  at: Date
}

/** A refund that a provider has made or accepted, also one from its dashboard. */
export interface ProviderRefund {
  provider: string
  reference: string
  paymentReference: string
  amount: number
  currency: string
  at: Date
}

/** The merchant's account at a payment provider, as far as a recovery reads it. */
export interface ProviderAccount {
  readonly name: string
  capturedSince(moment: Date): Promise<ProviderPayment[]>
  refundsSince(moment: Date): Promise<ProviderRefund[]>
  /** The checkout that the payment was for; undefined when it is not of a shop. */
  checkoutOf(payment: ProviderPayment): Promise<string | undefined>
  /** Refunds this amount of the payment, once however often it is called. */
  refund(payment: ProviderPayment): Promise<void>
}

const TIMEOUT_MS = 20_000

/**
 * Calls the API of a provider.
 * @throws StartError with the status or the fault; what the provider responded may hold card data and is left out
 */
export async function callProviderApi<Schema extends z.ZodType>(
  provider: string,
  url: string,
  { schema, ...request }: RequestInit & { schema: Schema },
): Promise<z.output<Schema>> {
  const away = (error: unknown): never => {
    throw new StartError(`${provider} does not respond (${messageOf(error)}): run the command again.`)
  }
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const response = await fetch(url, { ...request, redirect: 'error', signal }).catch(away)
  const text = await response.text().catch(away)
  if (response.status === 401)
    throw new StartError(`${provider} rejects the key: correct its variable, which npm run recovery -- --help names.`)
  if (!response.ok) throw new StartError(`${provider} rejected ${new URL(url).pathname} with ${response.status}.`)
  try {
    return schema.parse(JSON.parse(text))
  } catch {
    throw new StartError(`The response of ${provider} to ${new URL(url).pathname} cannot be read.`)
  }
}

/** Seconds since 1970, as both providers count them. */
export const inSeconds = (moment: Date): number => Math.floor(moment.getTime() / 1000)
