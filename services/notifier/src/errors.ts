import { DependencyUnavailable, HttpError, waitInWords } from '@storefront/service'

export { invalidEmail } from '@storefront/service'

export const mailKindNotFound = () =>
  new HttpError('not_found', 'Unknown kind of mail. GET /admin/notifications/templates lists all kinds.')

export const settingsUnavailable = (cause: unknown) => new DependencyUnavailable('catalog', cause)
export const endpointNotFound = () => new HttpError('not_found', 'We could not find this webhook endpoint.')

export const tooManyEndpoints = (max: number) =>
  new HttpError('validation_failed', `There can be at most ${max} webhook endpoints. Please delete one first.`, {
    detail: { max },
  })

/** @param message what the URL must be, for the integrator */
export const unfitUrl = (message: string) =>
  new HttpError('validation_failed', 'Webhooks cannot be sent to this address.', {
    detail: { issues: [{ path: 'url', message }] },
  })

/** @param reason why only the configuration can do it */
export const namedByConfiguration = (reason: string) =>
  new HttpError(
    'conflict',
    "The storefront's own endpoint comes from the configuration of the shop and can only be changed there.",
    { detail: { reason } },
  )

export const unreadableSecret = () =>
  new HttpError('conflict', 'The secret of this endpoint can no longer be read. Please rotate it.')

export const tooManyTests = () =>
  new HttpError('rate_limited', 'Too many tests are running. Please try again in a moment.', { retryAfterSeconds: 10 })
export const deliveryNotFound = () => new HttpError('not_found', 'We could not find this delivery.')

export const deliveryUnderWay = () =>
  new HttpError('conflict', 'This delivery is being sent right now. Please try again in a moment.')

export const testIsNotReplayed = () =>
  new HttpError('conflict', 'This delivery was a test. Please send a new test to its endpoint.')

export const endpointDisabled = () =>
  new HttpError('conflict', 'The endpoint of this delivery is disabled. Please enable it first.')

export const endpointDeleted = () => new HttpError('conflict', 'The endpoint of this delivery was deleted.')

export const periodEndsBeforeItBegins = () =>
  new HttpError('validation_failed', 'The end of the period is before its beginning.', {
    detail: { issues: [{ path: 'to', message: 'must not be before `from`' }] },
  })

export const mailNotFound = () => new HttpError('not_found', 'We could not find this mail.')

export const notificationsDisabled = (reason: string) =>
  new HttpError('notifications_disabled', 'This mail is switched off in the settings of the shop.', {
    detail: { reason },
  })

export const noMailServer = () =>
  new HttpError('notifications_disabled', 'No mail server is configured. Please set one in `notifications.smtp`.', {
    detail: { reason: 'no mail server is configured' },
  })

export const missingRecipient = () =>
  new HttpError('missing_to', 'Please send a recipient for the test mail as `to`: a secret key has no email address.')

export const tooManyTestMails = (retryAfterSeconds: number) =>
  new HttpError('rate_limited', `Too many test mails. Please try again in ${waitInWords(retryAfterSeconds)}.`, {
    retryAfterSeconds,
  })

export const tooManyTestMailsTo = (retryAfterSeconds: number) =>
  new HttpError(
    'rate_limited',
    `This mailbox has received too many test mails. Please try again in ${waitInWords(retryAfterSeconds)}, or use another address.`,
    { retryAfterSeconds },
  )

/** @param result the mail server's response, or why it could not be reached */
export const sendFailed = (result: string) =>
  new HttpError('send_failed', 'The mail could not be delivered to the mail server.', { detail: { answer: result } })

export const notResendable = (status: string) =>
  new HttpError(
    'invalid_transition',
    'Only a mail that failed or was withheld, and whose text is still stored, can be sent again.',
    { detail: { status } },
  )
