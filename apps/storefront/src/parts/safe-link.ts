/**
 * Links come from the configuration: none may run a script.
 * @param to a path of the storefront, or a full address
 */
export function safeLink(to: string | null | undefined): string {
  if (!to) return '/'
  return /^(?:\/(?!\/)|#|https?:\/\/|mailto:|tel:)/i.test(to) ? to : '/'
}
