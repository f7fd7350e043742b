/** @returns 32 hex digits that no other request has; `crypto.randomUUID` is missing where the console is served without TLS */
export function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
