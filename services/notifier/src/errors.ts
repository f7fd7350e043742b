import { DependencyUnavailable, Refusal } from '@storefront/chassis'

export const mailKindNotFound = () => new Refusal('not_found', 'We send no mails of this kind.')

export const settingsAway = (cause: unknown) => new DependencyUnavailable('catalog', cause)
export const endpointNotFound = () => new Refusal('not_found', 'We could not find this webhook endpoint.')

export const tooManyEndpoints = (max: number) =>
  new Refusal('validation_failed', `There can be up to ${max} webhook endpoints. Please delete one first.`, {
    detail: { max },
  })

/** @param message what the address must be, for whoever integrates */
export const unfitUrl = (message: string) =>
  new Refusal('validation_failed', 'Webhooks cannot be sent to this address.', {
    detail: { issues: [{ path: 'url', message }] },
  })

/** @param reason what was asked of it that only the configuration can do */
export const namedByConfiguration = (reason: string) =>
  new Refusal(
    'conflict',
    "The storefront's own endpoint is named by the configuration of the shop and changed there.",
    {
      detail: { reason },
    },
  )

export const unreadableSecret = () =>
  new Refusal('conflict', 'The secret of this endpoint cannot be read any more. Please rotate it.')

export const tooManyTests = () =>
  new Refusal('rate_limited', 'Too many tests are under way. Please try again in a moment.', { retryAfterSeconds: 10 })
export const deliveryNotFound = () => new Refusal('not_found', 'There is no such delivery.')

export const deliveryUnderWay = () => new Refusal('conflict', 'This delivery is being sent at this moment.')

export const endpointDisabled = () =>
  new Refusal('conflict', 'Its endpoint is switched off. Please switch it on first.')

export const endpointDeleted = () => new Refusal('conflict', 'Its endpoint was deleted.')

export const backwardSpan = () =>
  new Refusal('validation_failed', 'The end of the time span lies before its beginning.', {
    detail: { issues: [{ path: 'to', message: 'must not lie before from' }] },
  })

export const mailNotFound = () => new Refusal('not_found', 'We cannot find this mail.')

export const notificationsDisabled = (reason: string) =>
  new Refusal('notifications_disabled', 'This mail is switched off in the settings of the shop.', {
    detail: { reason },
  })

export const noMailServer = () =>
  new Refusal(
    'notifications_disabled',
    'No mail server is set, so that no mail goes out. Please name one in the settings.',
    {
      detail: { reason: 'no mail server is set' },
    },
  )

export const missingRecipient = () =>
  new Refusal(
    'missing_to',
    'Please send the address for the test mail as `to`: a secret key has no address of its own.',
  )

export const invalidRecipient = () => new Refusal('invalid_email', 'That does not look like an email address.')

export const tooManyTestMails = (retryAfterSeconds: number) =>
  new Refusal('rate_limited', 'That were many test mails. Please wait a moment and try again.', { retryAfterSeconds })

export const tooManyTestMailsTo = () =>
  new Refusal(
    'rate_limited',
    'This mailbox got many test mails already. Please wait an hour, or use another address.',
    {
      retryAfterSeconds: 3600,
    },
  )

/** @param answer what the mail server said, or why it could not be asked */
export const sendFailed = (answer: string) =>
  new Refusal('send_failed', 'The mail server rejected the mail.', { detail: { answer } })

export const notResendable = (status: string) =>
  new Refusal(
    'invalid_transition',
    'Only a mail that failed or was withheld, and whose text is still kept, can be sent again.',
    {
      detail: { status },
    },
  )
