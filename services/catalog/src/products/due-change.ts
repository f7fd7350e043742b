import type { ProductPatch } from '@storefront/contracts'

/** The change that is due for a product. If both times have come, the later one decides. */
export function dueChange(
  { publishAt, unpublishAt }: { publishAt?: string | null | undefined; unpublishAt?: string | null | undefined },
  now: Date,
): Pick<ProductPatch, 'published' | 'publishAt' | 'unpublishAt'> {
  const publishMs = msOf(publishAt)
  const hideMs = msOf(unpublishAt)
  const publishes = publishMs <= now.getTime()
  const hides = hideMs <= now.getTime()
  if (!publishes && !hides) return {}
  return {
    published: publishes && (!hides || publishMs > hideMs),
    ...(publishes && { publishAt: null }),
    ...(hides && { unpublishAt: null }),
  }
}

function msOf(time: string | null | undefined): number {
  return typeof time === 'string' ? Date.parse(time) : Infinity
}
