import { DependencyUnavailable, Refusal } from '@storefront/chassis'

export const mailKindNotFound = () =>
  new Refusal('not_found', 'Unknown kind of mail. GET /admin/notifications/templates lists all kinds.')

export const settingsAway = (cause: unknown) => new DependencyUnavailable('catalog', cause)
export const endpointNotFound = () => new Refusal('not_found', 'We could not find this webhook endpoint.')

export const tooManyEndpoints = (max: number) =>
  new Refusal('validation_failed', `There can be at most ${max} webhook endpoints. Please delete one first.`, {
    detail: { max },
  })

/** @param message what the URL must be, for the integrator */
export const unfitUrl = (message: string) =>
  new Refusal('validation_failed', 'Webhooks cannot be sent to this address.', {
    detail: { issues: [{ path: 'url', message }] },
  })

/** @param reason why only the configuration can do it */
export const namedByConfiguration = (reason: string) =>
  new Refusal(
    'conflict',
    "The storefront's own endpoint comes from the configuration of the shop and can only be changed there.",
    {
      detail: { reason },
    },
  )

export const unreadableSecret = () =>
  new Refusal('conflict', 'The secret of this endpoint can no longer be read. Please rotate it.')

export const tooManyTests = () =>
  new Refusal('rate_limited', 'Too many tests are running. Please try again in a moment.', { retryAfterSeconds: 10 })
export const deliveryNotFound = () => new Refusal('not_found', 'We could not find this delivery.')

export const deliveryUnderWay = () =>
  new Refusal('conflict', 'This delivery is being sent right now. Please try again in a moment.')

export const endpointDisabled = () =>
  new Refusal('conflict', 'The endpoint of this delivery is disabled. Please enable it first.')

export const endpointDeleted = () => new Refusal('conflict', 'The endpoint of this delivery was deleted.')

export const backwardSpan = () =>
  new Refusal('validation_failed', 'The end of the period is before its beginning.', {
    detail: { issues: [{ path: 'to', message: 'must not be before `from`' }] },
  })

export const mailNotFound = () => new Refusal('not_found', 'We could not find this mail.')

export const notificationsDisabled = (reason: string) =>
  new Refusal('notifications_disabled', 'This mail is switched off in the settings of the shop.', {
    detail: { reason },
  })

export const noMailServer = () =>
  new Refusal('notifications_disabled', 'No mail server is configured. Please set one in `notifications.smtp`.', {
    detail: { reason: 'no mail server is configured' },
  })

export const missingRecipient = () =>
  new Refusal('missing_to', 'Please send a recipient for the test mail as `to`: a secret key has no email address.')

export const invalidRecipient = () => new Refusal('invalid_email', 'That does not look like an email address.')

export const tooManyTestMails = (retryAfterSeconds: number) =>
  new Refusal('rate_limited', 'Too many test mails. Please wait a moment and try again.', { retryAfterSeconds })

export const tooManyTestMailsTo = () =>
  new Refusal(
    'rate_limited',
    'This mailbox has received too many test mails. Please wait an hour, or use another address.',
    {
      retryAfterSeconds: 3600,
    },
  )

/** @param answer the mail server's response, or why it could not be reached */
export const sendFailed = (answer: string) =>
  new Refusal('send_failed', 'The mail server rejected the mail.', { detail: { answer } })

export const notResendable = (status: string) =>
  new Refusal(
    'invalid_transition',
    'Only a mail that failed or was withheld, and whose text is still stored, can be sent again.',
    {
      detail: { status },
    },
  )
