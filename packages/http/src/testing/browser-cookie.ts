import cookie from '@fastify/cookie'

/**
 * The cookie value of a browser that has no access to anything yet, as a service makes it.
 * @param name 27 characters of base64url
 * @param key the BROWSER_COOKIE_KEY of the services
 */
export function browserCookie(name: string, key: string): string {
  return cookie.sign(name, key)
}
