import { z } from 'zod'
import { ServiceConfig } from '@storefront/chassis'

export const CatalogConfig = ServiceConfig.extend({
  DATABASE_URL: z.string().min(1),
  DATABASE_POOL: z.coerce.number().int().min(2).max(50).default(10),
  REDIS_URL: z.string().min(1),
  /** Address of the shop as clients see it: pictures in answers are absolute. */
  PUBLIC_URL: z.url().default('http://localhost:8080'),
  /** Folder with the pictures that /media serves. */
  MEDIA_DIR: z.string().min(1).default('.data/media'),
})
export type CatalogConfig = z.output<typeof CatalogConfig>
