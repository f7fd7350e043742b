import { Refusal } from '@storefront/chassis'
import type { Permission } from '@storefront/contracts'

export function missingCredentials(): Refusal {
  return new Refusal('missing_credentials', 'Please enter your e-mail address and your password.')
}

export function invalidEmail(): Refusal {
  return new Refusal('invalid_email', 'This does not look like an e-mail address. Please check it.')
}

export function weakPassword(limits: { min: number; max: number }): Refusal {
  return new Refusal('weak_password', `Please choose a password of ${limits.min} to ${limits.max} characters.`, {
    detail: limits,
  })
}

export function emailTaken(): Refusal {
  return new Refusal('email_taken', 'There is already an account with this e-mail address. Please sign in instead.')
}

/** The same for an unknown e-mail address and a wrong password: the answer must not tell who has an account. */
export function invalidCredentials(): Refusal {
  return new Refusal('invalid_credentials', 'E-mail address or password are not right. Please try again.')
}

/** Of somebody who is signed in, and only has to give the password once more. */
export function wrongPassword(): Refusal {
  return new Refusal('invalid_credentials', 'This password is not right. Please try again.')
}

export function missingPassword(): Refusal {
  return new Refusal('missing_credentials', 'Please enter your password.')
}

/** The same for a link that is used, expired, forged or unknown: the answer must not help with guessing. */
export function invalidToken(): Refusal {
  return new Refusal('invalid_token', 'This link does not work any more. Please ask for a new one.')
}

export function tooManyMails(): Refusal {
  return new Refusal('rate_limited', 'We have sent you many mails today. Please try again tomorrow.', {
    retryAfterSeconds: 3600,
  })
}

export function tooManyWaiting(): Refusal {
  return new Refusal(
    'service_unavailable',
    'Many people are asking for this right now. Please try again in a moment.',
    { retryAfterSeconds: 10 },
  )
}

export function customerNotFound(): Refusal {
  return new Refusal('not_found', 'There is no such customer.')
}

/** A signed-in customer or admin whose account is gone. */
export function accountGone(): Refusal {
  return new Refusal('unauthenticated', 'Please sign in to continue.')
}

/** After the right password of an admin who has switched the second factor on. */
export function secondFactorRequired(): Refusal {
  return new Refusal('second_factor_required', 'Please enter the code from your authenticator app as well.')
}

export function missingCode(): Refusal {
  return new Refusal('missing_credentials', 'Please enter the code from your authenticator app.')
}

/** The same whether there is such an account or not. */
export function tooManyAttempts(retryAfterSeconds: number): Refusal {
  return new Refusal('rate_limited', 'That were too many tries. Please wait some minutes and try again.', {
    retryAfterSeconds,
  })
}

export function beyondOwnPermissions(): Refusal {
  return new Refusal('forbidden', 'You can only do this where you have all the permissions yourself.')
}

export function proveYourself(): Refusal {
  return new Refusal('forbidden', 'For your own account this takes your password: please do it in your profile.')
}

/** A secret key is kept by machines, and has no password that could be asked for. */
export function personNeeded(): Refusal {
  return new Refusal('forbidden', 'Only somebody who is signed in can do this, with the own password.')
}

export function adminNotFound(): Refusal {
  return new Refusal('not_found', 'There is no such user.')
}

export function lastOwner(): Refusal {
  return new Refusal('conflict', 'A shop needs an owner.')
}

export function secondFactorIsOn(): Refusal {
  return new Refusal('conflict', 'Your second factor is on. Please switch it off first.')
}

export function secondFactorIsNotOn(): Refusal {
  return new Refusal('conflict', 'Your second factor is not on.')
}

export function secondFactorNotPrepared(): Refusal {
  return new Refusal('conflict', 'Please begin with a new second factor first.')
}

export function addressNotFound(): Refusal {
  return new Refusal('not_found', 'This address is not in your address book.')
}

export function emptyAddress(): Refusal {
  return new Refusal('missing_fields', 'Please fill in the address.')
}

export function unknownCountry(found: string): Refusal {
  return new Refusal('validation_failed', 'Please choose the country of the address from the list.', {
    detail: {
      issues: [{ path: 'country', message: `must be an ISO 3166-1 alpha-2 code such as GB, not "${found}"` }],
    },
  })
}

export function tooManyAddresses(max: number): Refusal {
  return new Refusal('validation_failed', `Your address book holds up to ${max} addresses. Please remove one first.`, {
    detail: { max },
  })
}

export function productNotFound(): Refusal {
  return new Refusal('not_found', 'We could not find this product.')
}

export function tooManyWishes(max: number): Refusal {
  return new Refusal('validation_failed', `Your wishlist holds up to ${max} products. Please remove one first.`, {
    detail: { max },
  })
}

export function tooManySignIns(): Refusal {
  return new Refusal('service_unavailable', 'Many people are signing in right now. Please try again in a moment.', {
    retryAfterSeconds: 2,
  })
}

export function unknownCredential(keys: string[]): Refusal {
  return new Refusal('unknown_credential', 'The shop has no use for a credential of this name.', {
    detail: { keys: keys.slice(0, 20).map((key) => key.slice(0, 100)) },
  })
}

export function apiKeyNotFound(): Refusal {
  return new Refusal('not_found', 'There is no such key.')
}

export function tooManyApiKeys(max: number): Refusal {
  return new Refusal(
    'validation_failed',
    `A shop has up to ${max} keys. Please revoke one that is not needed any more.`,
    {
      detail: { max },
    },
  )
}

export function unusableApiKey(path: string, message: string): Refusal {
  return new Refusal('validation_failed', 'Such a key cannot be made. Please check what it should be.', {
    detail: { issues: [{ path, message }] },
  })
}

/** Else a key could be made to get at what its maker is kept from. */
export function strongerThanItsMaker(permissions: Permission[]): Refusal {
  return new Refusal('forbidden', 'A key cannot be allowed to do more than you are.', { detail: { permissions } })
}
