/** The provider that is asked for the money, by the storefront's checkout mode; `invoice` waits for the merchant. */
const PROVIDERS = new Map([
  ['demo', 'demo'],
  ['api', 'invoice'],
])

export function providerOfMode(checkoutMode: string): string | undefined {
  return PROVIDERS.get(checkoutMode)
}
