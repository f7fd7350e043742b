import { Refusal } from '@storefront/chassis'

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

/** A signed-in customer or admin whose account is gone. */
export function accountGone(): Refusal {
  return new Refusal('unauthenticated', 'Please sign in to continue.')
}

/** After the right password of an admin who has switched the second factor on. */
export function secondFactorRequired(): Refusal {
  return new Refusal('second_factor_required', 'Please enter the code from your authenticator app as well.')
}

export function missingPassword(): Refusal {
  return new Refusal('missing_credentials', 'Please enter your password.')
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

/** What a person does for herself, with a password or a code, is not for a key. */
export function onlyForPeople(): Refusal {
  return new Refusal('forbidden', 'Only somebody who is signed in can do this.')
}

export function beyondOwnPermissions(): Refusal {
  return new Refusal('forbidden', 'You can only do this where you have all the permissions yourself.')
}

export function proveYourself(): Refusal {
  return new Refusal('forbidden', 'For your own account this takes your password: please do it in your profile.')
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

export function tooManyAddresses(max: number): Refusal {
  return new Refusal('validation_failed', `Your address book holds up to ${max} addresses. Please remove one first.`, {
    detail: { max },
  })
}

export function tooManySignIns(): Refusal {
  return new Refusal('service_unavailable', 'Many people are signing in right now. Please try again in a moment.', {
    retryAfterSeconds: 2,
  })
}
