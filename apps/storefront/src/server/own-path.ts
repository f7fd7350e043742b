const ANY_ORIGIN = 'http://own.invalid'

/**
 * Where a shopper goes back to after the sign-in. The address comes from a link, so it may lead to this storefront only.
 * @returns a path with its query; undefined when it is none of this storefront
 */
export function ownPath(address: string | null | undefined): string | undefined {
  if (!address?.startsWith('/') || !URL.canParse(address, ANY_ORIGIN)) return undefined
  const { origin, pathname, search, hash } = new URL(address, ANY_ORIGIN)
  // Browsers read `/.//other.example` and `/\other.example` as addresses of another site.
  return origin === ANY_ORIGIN && !pathname.startsWith('//') ? `${pathname}${search}${hash}` : undefined
}
