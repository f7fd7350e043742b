/** In the place of a secret: that there is one, and that it changed, is none. */
export const LEFT_OUT = '[left out]'

const SPEAKS_OF_A_SECRET = /password|secret|token|apikey|privatekey|credential|authori[sz]ation/

/** Puts a mark in the place of what a name that speaks of a secret stands for. For JSON to call on its way in or out. */
export function leaveOutSecret(name: string, value: unknown): unknown {
  const letters = name.replaceAll(/[^a-z]/gi, '').toLowerCase()
  return value !== undefined && SPEAKS_OF_A_SECRET.test(letters) ? LEFT_OUT : value
}
