import { z } from 'zod'
import { DatabaseServiceConfig } from '@storefront/service'

export const CatalogConfig = DatabaseServiceConfig.extend({
  REDIS_URL: z.string().min(1),
  /** Address of the shop as clients see it: pictures in replies are absolute. */
  PUBLIC_URL: z.url().default('http://localhost:8080'),
  /** Folder with the pictures that /media serves. */
  MEDIA_DIR: z.string().min(1).default('.data/media'),
  /** How long the upload of pictures may take. */
  MEDIA_UPLOAD_TIMEOUT_MS: z.coerce.number().int().min(50).max(600_000).default(60_000),
  /** How long fetching a picture of an import may take, including redirects. */
  PICTURES_TIMEOUT_MS: z.coerce.number().int().min(100).max(120_000).default(15_000),
  /** Imports may fetch pictures from this machine and its network too. Never set it on a public shop. */
  PICTURES_ALLOW_PRIVATE: z
    .enum(['true', 'false'])
    .default('false')
    .transform((text) => text === 'true'),
  /**
   * A bucket for uploaded pictures in place of the folder: the address without the bucket, the keys and all other
   * settings, or none of them.
   */
  MEDIA_S3_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'must look like https://s3.eu-central-1.amazonaws.com' })
    .regex(/^[^@?#]*$/, 'must not contain a user, a query or a fragment')
    .optional(),
  MEDIA_S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket')
    .optional(),
  MEDIA_S3_REGION: z.string().min(1).default('us-east-1'),
  MEDIA_S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  MEDIA_S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  /** A folder in the bucket. */
  MEDIA_S3_PREFIX: z
    .string()
    .regex(/^(?:[\w-][\w.-]*(?:\/[\w-][\w.-]*)*\/?)?$/, 'must be a path such as shop/pictures')
    .default('')
    .transform((prefix) => (prefix === '' ? '' : `${prefix.replace(/\/$/, '')}/`)),
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
