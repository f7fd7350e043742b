import { SERVICE_NAMES } from '@storefront/contracts'

/** What runs as built files: the programs of a shop, and those that tests start by the hundred. */
export const PROGRAMS = [
  ...SERVICE_NAMES.map((name) => `services/${name}/src/main.ts` as const),
  'tools/src/mailbox/main.ts',
  'tools/src/one-process/main.ts',
  'services/orders/test/orders-with-provider.ts',
  'tools/src/backup/backup-main.ts',
  'tools/src/backup/restore-main.ts',
  'tools/src/doctor/main.ts',
  'tools/src/events/main.ts',
] as const

export type Program = (typeof PROGRAMS)[number]
