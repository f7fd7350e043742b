import { HttpError, waitInWords } from '@storefront/service'
import { CREDENTIAL_KEYS, type Permission } from '@storefront/contracts'

export { invalidEmail, invalidToken, tooManyWaiting } from '@storefront/service'

export const missingCredentials = () =>
  new HttpError('missing_credentials', 'Please enter your email address and your password.')

/** @param length of the password that was given, in characters */
export function weakPassword(limits: { min: number; max: number }, length: number): HttpError {
  const wanted = length < limits.min ? `at least ${limits.min}` : `at most ${limits.max}`
  return new HttpError('weak_password', `Choose a password with ${wanted} characters.`, { detail: limits })
}

export const emailTaken = () =>
  new HttpError('email_taken', 'An account with this email address already exists. Please sign in instead.')

/** The same for an unknown email address and a wrong password: the response must not reveal who has an account. */
export const invalidCredentials = () => new HttpError('invalid_credentials', 'Incorrect email or password.')

/** For a signed-in customer who has to enter the password once more. */
export const wrongPassword = () => new HttpError('invalid_credentials', 'Incorrect password.')

export const missingPassword = () => new HttpError('missing_credentials', 'Please enter your password.')

export const missingPasswords = () =>
  new HttpError('missing_credentials', 'Please enter your current password and the new one.')

export const missingNewPassword = () => new HttpError('missing_credentials', 'Please enter a new password.')

/** For a customer who opens the link of a change of address without a session of the account. */
export const accountProofNeeded = () =>
  new HttpError('missing_credentials', 'Please enter the password of your account to confirm the new address.')

/** `email` and `username` are two names of one field. */
export const differentNames = () =>
  new HttpError('validation_failed', 'Send either `email` or `username`: both were sent, and they differ.', {
    detail: { issues: [{ path: 'username', message: 'must be the same as `email`, or omitted' }] },
  })

export const tooManyMails = () =>
  new HttpError('rate_limited', 'You have requested too many emails. Please try again in an hour.', {
    retryAfterSeconds: 3600,
  })

export const ownerNeeded = () => new HttpError('forbidden', 'Only an owner can do this.')

export const customerNotFound = () => new HttpError('not_found', 'This customer does not exist.')

/** A signed-in customer or admin whose account is gone. */
export const accountGone = () => new HttpError('unauthenticated', 'Please sign in to continue.')

/** After the correct password of an admin whose second factor is on. */
export const secondFactorRequired = () =>
  new HttpError('second_factor_required', 'Please also enter the code from your authenticator app.')

/** The code of an app changes every 30 seconds, and each is valid once. */
export const wrongCode = () =>
  new HttpError('invalid_credentials', 'Incorrect code. Enter the current code from your authenticator app.')

export const missingCode = () =>
  new HttpError('missing_credentials', 'Please enter the code from your authenticator app.')

/** The same whether there is an account with this address or not. */
export const tooManyAttempts = (retryAfterSeconds: number) =>
  new HttpError('rate_limited', `Too many attempts. Try again in ${waitInWords(retryAfterSeconds)}.`, {
    retryAfterSeconds,
  })

export const beyondOwnPermissions = () =>
  new HttpError('forbidden', 'You cannot grant or change a role that has more permissions than you have.')

export const changedInOwnProfile = () =>
  new HttpError(
    'forbidden',
    'Change your own password and second factor in your profile, where your current password is required.',
  )

/**
 * For operations that require more than an open session. Names the field, for clients that do not know it yet.
 * @param otherwise an alternative, as a sentence
 */
export function passwordNeeded(otherwise?: string): HttpError {
  const needed =
    'Send your own password as `currentPassword`: an open session, which may be stolen, is not enough for this.'
  return new HttpError('missing_credentials', otherwise === undefined ? needed : `${needed} ${otherwise}`, {
    detail: { issues: [{ path: 'currentPassword', message: 'must be your own password' }] },
  })
}

/** With the correct password, for an admin whose second factor is on. */
export const codeNeeded = () =>
  new HttpError(
    'missing_credentials',
    'Send the code from your authenticator app as `code`: your second factor is on.',
    {
      detail: { issues: [{ path: 'code', message: 'must be a code from your authenticator app, or a recovery code' }] },
    },
  )

/** A secret key belongs to a program and has no password to send. */
export const personNeeded = () =>
  new HttpError('forbidden', 'A secret key cannot do this. Sign in, and confirm it with your password.')

export const adminNotFound = () => new HttpError('not_found', 'This user does not exist.')

export const lastOwner = () =>
  new HttpError('conflict', 'This is the last owner who can sign in. Make another user an owner first.')

export const secondFactorIsOn = () =>
  new HttpError('conflict', 'Your second factor is already on. Switch it off before you set up another one.')

export const secondFactorIsNotOn = () => new HttpError('conflict', 'Your second factor is not on.')

export const secondFactorNotPrepared = () =>
  new HttpError('conflict', 'Set up a second factor first, and then confirm it with a code.')

/** @param permissions each of which would show a part of the requested activity */
export const activityNotAllowed = (permissions: Permission[]) =>
  new HttpError('forbidden', 'You are not allowed to see this part of the activity.', { detail: { permissions } })

export const secondFactorNeedsItsUser = () =>
  new HttpError(
    'validation_failed',
    'Only the user can switch on a second factor, because they have to scan its code.',
    { detail: { issues: [{ path: 'secondFactor', message: 'must be false or omitted' }] } },
  )

export const viewNotFound = () => new HttpError('not_found', 'This view does not exist.')

export const viewNameTaken = (name: string) =>
  new HttpError('conflict', `You already have a view “${name}” of this screen. Choose another name.`)

export const tooManyViews = (max: number) =>
  new HttpError(
    'validation_failed',
    `You can have up to ${max} views of a screen. Delete one that is no longer needed.`,
    { detail: { max } },
  )

export const addressNotFound = () => new HttpError('not_found', 'This address is not in your address book.')

export const emptyAddress = () => new HttpError('missing_fields', 'Please fill in the address.')

export const unknownCountry = (found: string) =>
  new HttpError('validation_failed', 'Please choose the country of the address from the list.', {
    detail: { issues: [{ path: 'country', message: `must be an ISO 3166-1 alpha-2 code such as GB, not "${found}"` }] },
  })

export const tooManyAddresses = (max: number) =>
  new HttpError('validation_failed', `Your address book holds up to ${max} addresses. Please remove one first.`, {
    detail: { max },
  })

export const productNotFound = () => new HttpError('not_found', 'We could not find this product.')

export const tooManyWishes = (max: number) =>
  new HttpError('validation_failed', `Your wishlist holds up to ${max} products. Please remove one first.`, {
    detail: { max },
  })

export const tooManySignIns = () =>
  new HttpError('service_unavailable', 'Many people are signing in right now. Please try again in a moment.', {
    retryAfterSeconds: 2,
  })

export function unknownCredential(keys: string[]): HttpError {
  const shown = keys.slice(0, 20).map((key) => key.slice(0, 100))
  return new HttpError(
    'unknown_credential',
    `Unknown credential \`${shown[0]}\`. Allowed are ${CREDENTIAL_KEYS.join(', ')}.`,
    { detail: { keys: shown } },
  )
}

export const apiKeyNotFound = () => new HttpError('not_found', 'This key does not exist.')

export const tooManyApiKeys = (max: number) =>
  new HttpError('validation_failed', `A shop can have at most ${max} keys. Revoke one that is no longer needed.`, {
    detail: { max },
  })

export const unusableApiKey = (path: string, message: string) =>
  new HttpError('validation_failed', `The key was not created: \`${path}\` ${message}.`, {
    detail: { issues: [{ path, message }] },
  })

/** Otherwise a key could be created to bypass its creator's permissions. */
export const keyExceedsOwnPermissions = (permissions: Permission[]) =>
  new HttpError('forbidden', `You cannot give a key permissions that you do not have: ${permissions.join(', ')}.`, {
    detail: { permissions },
  })
