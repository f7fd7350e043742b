/** Replaces a secret: its existence and its change are not secret. */
export const LEFT_OUT = '[left out]'

const NAMES_A_SECRET = /password|secret|token|apikey|privatekey|credential|authori[sz]ation/

/** The expiry time of a secret is a date, and not the secret. */
const NAMES_A_DATE = /[a-z]Until$/

function namesASecret(name: string): boolean {
  return !NAMES_A_DATE.test(name) && NAMES_A_SECRET.test(name.replaceAll(/[^a-z]/gi, '').toLowerCase())
}

/**
 * A replacer for `JSON.stringify` and a reviver for `JSON.parse`: replaces every secret by a placeholder, at any depth.
 */
export function leaveOutSecret(name: string, value: unknown): unknown {
  return value !== undefined && namesASecret(name) ? LEFT_OUT : value
}
