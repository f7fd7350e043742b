// In a separate file, because browsers load it too.
/**
 * The cookie that holds the token of the console. Over https the name has a prefix with which browsers accept it from
 * https only.
 */
export const CONSOLE_COOKIE = { http: 'console_session', https: '__Secure-console_session' } as const
/**
 * The console sends this header with each request. Pages of another origin cannot: the gateway's response to a
 * preflight does not allow it.
 */
export const CONSOLE_HEADER = 'x-console'

/**
 * What the console can be notified about, and the permission that its requests for it need: a person receives the
 * topics that they may read.
 */
export const CONSOLE_TOPICS = {
  orders: 'orders:read',
  attention: 'orders:read',
  stock: 'catalog:read',
  imports: 'catalog:read',
  'bulk-edits': 'catalog:read',
} as const
export type ConsoleTopic = keyof typeof CONSOLE_TOPICS

export function isConsoleTopic(name: string): name is ConsoleTopic {
  return Object.hasOwn(CONSOLE_TOPICS, name)
}
