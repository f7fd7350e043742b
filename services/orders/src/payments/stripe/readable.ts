import { ProviderUnavailable } from '../provider.ts'
import { STRIPE } from './stripe-updates.ts'

/** Reads what Stripe sent. @throws ProviderUnavailable when it is malformed: it tells nothing about the payment */
export function readable<Result>(schema: { parse(value: unknown): Result }, value: unknown): Result {
  try {
    return schema.parse(value)
  } catch (error) {
    throw new ProviderUnavailable(STRIPE, error)
  }
}
