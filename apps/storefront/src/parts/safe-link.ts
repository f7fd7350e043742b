/**
 * Links come from the configuration: none may run a script, and a path leads to no other host.
 * @param to a path of the storefront, or a full address
 */
export function safeLink(to: string | null | undefined): string {
  if (!to) return '/'
  return /^(?:\/(?![/\\])|#|https?:\/\/|mailto:|tel:)/i.test(to) ? to : '/'
}
