import { HttpError } from './http-error.ts'

export const invalidEmail = () =>
  new HttpError('invalid_email', 'This is not a valid email address. Please check it for typing errors.')

export const idempotencyMismatch = () =>
  new HttpError('idempotency_mismatch', 'This request was already sent with different details. Please start again.')

export const tooManyWaiting = () =>
  new HttpError('service_unavailable', 'We are very busy right now. Please try again in a few seconds.', {
    retryAfterSeconds: 10,
  })
