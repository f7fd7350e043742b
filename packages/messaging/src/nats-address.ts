/**
 * Separates the credentials from NATS addresses (one, or several with commas). The client ignores credentials in
 * addresses, and may even use digits of the password as the port. Separated, they also stay out of its messages.
 */
export function natsAddress(url: string): { servers: string[]; user?: string; pass?: string } {
  const addresses = url.split(',').map((part) => new URL(part.includes('://') ? part.trim() : `nats://${part.trim()}`))
  const servers = addresses.map(({ protocol, host }) => `${protocol}//${host}`)
  const { username = '', password = '' } = addresses.find(({ username }) => username !== '') ?? {}
  if (username === '') return { servers }
  return { servers, user: decodeURIComponent(username), pass: decodeURIComponent(password) }
}
