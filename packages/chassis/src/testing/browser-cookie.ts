import cookie from '@fastify/cookie'

/**
 * The value of the cookie of a browser that may open nothing yet, as a service makes it.
 * @param name 27 characters of base64url
 * @param key the BROWSER_COOKIE_KEY of the services
 */
export function browserCookie(name: string, key: string): string {
  return cookie.sign(name, key)
}
