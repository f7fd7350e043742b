import { z } from 'zod'
import { DatabaseServiceConfig } from '@storefront/service'
import { PublicUrl, SETTINGS } from '@storefront/contracts/settings'

export const CatalogConfig = DatabaseServiceConfig.extend({
  /** Address of the standbys that public pages are read from, with the same role as `DATABASE_URL`. */
  DATABASE_STANDBY_URL: z.string().min(1).optional(),
  REDIS_URL: z.string().min(1),
  /** Base of the addresses of pictures in responses. */
  PUBLIC_URL: PublicUrl,
  /** Folder with the pictures that /media serves. */
  MEDIA_DIR: z.string().min(1).default('.data/media'),
  /** How long the upload of pictures may take. */
  MEDIA_UPLOAD_TIMEOUT_MS: z.coerce.number().int().min(50).max(600_000).default(60_000),
  /** How often a replica looks for work that has become due, such as publications at their times. */
  POLL_INTERVAL_MS: z.coerce.number().int().min(100).max(600_000).default(1000),
  /** Products that a bulk edit changes in one transaction: they are locked for its duration. */
  BULK_EDIT_BATCH: z.coerce.number().int().min(1).max(5000).default(500),
  /** Largest import in JSON, which the gateway limits as well; NDJSON may be of any length. */
  IMPORT_JSON_MAX_MIB: z.coerce.number().int().min(1).max(256).default(256),
  // A bucket needs its address, its name and its keys, or none of them.
  ...SETTINGS.catalog,
}).superRefine((config, context) => {
  const needed = [
    'MEDIA_S3_ENDPOINT',
    'MEDIA_S3_BUCKET',
    'MEDIA_S3_ACCESS_KEY_ID',
    'MEDIA_S3_SECRET_ACCESS_KEY',
  ] as const
  const missing = needed.filter((name) => config[name] === undefined)
  if (missing.length === needed.length) return
  for (const name of missing) context.addIssue({ code: 'custom', path: [name], message: 'is missing' })
})
export type CatalogConfig = z.output<typeof CatalogConfig>
