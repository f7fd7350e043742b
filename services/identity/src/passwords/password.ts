import { weakPassword } from '../errors.ts'

export const PASSWORD_LENGTH = { min: 8, max: 200 } as const

/** Describes a password that a customer chooses. */
export const PASSWORD_RULE = `${PASSWORD_LENGTH.min} to ${PASSWORD_LENGTH.max} characters; anything else is \`weak_password\`.`

/** Counts characters and not UTF-16 units. @throws HttpError `weak_password` */
export function requireStrongPassword(password: string, limits: { min: number; max: number } = PASSWORD_LENGTH): void {
  const length = Array.from(password).length
  if (length < limits.min || length > limits.max) throw weakPassword(limits, length)
}

/** Devices encode letters such as é in two ways, and the same password must work on all of them. */
export function normalizePassword(password: string): string {
  return password.normalize('NFKC')
}
