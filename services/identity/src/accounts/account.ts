import { Customer, readEmailAddress, type CustomerAddress, type EmailAddress } from '@storefront/contracts'
import { z } from 'zod'
import { invalidEmail, missingCredentials } from '../errors.ts'

/** Text on one line: a line break in a name could end up in the header of a mail. */
export function oneLine(maxLength: number) {
  return z
    .string()
    .trim()
    .max(maxLength)
    .regex(/^\P{Cc}*$/u, 'must not contain control characters')
}

export const PersonName = oneLine(100)

/**
 * The schema accepts missing and empty values, and a missing body, because their error is `missing_credentials`.
 */
export const Credentials = z.object({
  email: z
    .string()
    .nullish()
    .describe('Email address of the account, in upper or lower case; without one the error is `missing_credentials`.'),
  password: z
    .string()
    .nullish()
    .describe('Case-sensitive. After too many wrong passwords for an address the error is `rate_limited` for a while.'),
})
export type Credentials = z.output<typeof Credentials>

/** The response to a customer who has just signed in. */
export const SignedIn = z
  .object({
    token: z
      .string()
      .describe('Send it as `Authorization: Bearer <token>`. Valid for 30 days, unless the session is ended before.'),
    customer: Customer.describe('The account that the token belongs to.'),
  })
  .meta({ id: 'SignedIn' })

/** @throws HttpError `missing_credentials` when either is missing or empty, or there was no body */
export function requireCredentials(given: Credentials | null | undefined): { email: string; password: string } {
  const { email, password } = given ?? {}
  const trimmed = email?.trim()
  if (!trimmed || !password) throw missingCredentials()
  return { email: trimmed, password }
}

/** @throws HttpError `invalid_email` */
export function requireEmail(email: string): EmailAddress {
  const address = readEmailAddress(email)
  if (!address) throw invalidEmail()
  return address
}

export interface Account {
  id: string
  /** The address as the customer typed it. */
  email: string
  /** Null when another account has the address, or it cannot be parsed: then no mail is sent to it. */
  email_canonical: string | null
  first_name: string
  last_name: string
  phone: string | null
  email_verified_at: Date | null
}

/** The address for mails to the account; undefined when no mail can be sent. */
export function emailOf({ email: typed, email_canonical: canonical }: Account): EmailAddress | undefined {
  return canonical === null ? undefined : { typed, canonical }
}

/** The columns of a stored address. */
export function emailColumns({ typed, canonical }: EmailAddress): { email: string; email_canonical: string } {
  return { email: typed, email_canonical: canonical }
}

export function toCustomer(account: Account, addresses: CustomerAddress[]): Customer {
  return {
    id: account.id,
    email: account.email,
    firstName: account.first_name,
    lastName: account.last_name,
    ...(account.phone === null ? {} : { phone: account.phone }),
    emailVerified: account.email_verified_at !== null,
    addresses,
  }
}
