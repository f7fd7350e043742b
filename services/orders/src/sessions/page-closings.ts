import type { Stoppable } from '@storefront/service'

/** Pages that are being closed at their providers: no request waits for that, and the end of this service does. */
export interface PageClosings extends Stoppable {
  /** @param closing which never rejects */
  add(closing: Promise<void>): void
}

export function pageClosings(): PageClosings {
  const underWay = new Set<Promise<void>>()
  return {
    add(closing) {
      underWay.add(closing)
      void closing.finally(() => underWay.delete(closing))
    },
    async stop() {
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}
