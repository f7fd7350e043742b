/**
 * Takes the credentials out of NATS addresses (one, or several with commas). The client ignores them there, and worse: it
 * takes the first digits after a colon for the port, which may be those of the password.
 */
export function natsAddress(url: string): { servers: string[]; user?: string; pass?: string } {
  const addresses = url.split(',').map((part) => new URL(part.includes('://') ? part.trim() : `nats://${part.trim()}`))
  const servers = addresses.map(({ protocol, host }) => `${protocol}//${host}`)
  const { username = '', password = '' } = addresses.find(({ username }) => username !== '') ?? {}
  if (username === '') return { servers }
  return { servers, user: decodeURIComponent(username), pass: decodeURIComponent(password) }
}
