import { z } from 'zod'
import { StorefrontConfiguration, StorefrontVersion } from '@storefront/contracts'
import type { SettingsVersion } from './settings.queries.ts'

export const VersionParam = z.object({
  version: z
    .string()
    .regex(/^\d{1,15}$/, 'must be the number of a version')
    .transform(Number)
    .describe('Number of a version, as GET /admin/storefront/versions lists it.'),
})

export function versionResponse({ version, at, actor, restoredFrom }: SettingsVersion): StorefrontVersion {
  return {
    version,
    at: at.toISOString(),
    ...(actor !== null && { actor }),
    ...(restoredFrom !== null && { restoredFrom }),
  }
}

export const WholeVersion = StorefrontVersion.extend({
  configuration: StorefrontConfiguration.describe('The whole document, with the mail settings.'),
}).meta({ id: 'WholeStorefrontVersion' })
