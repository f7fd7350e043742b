import { z } from 'zod'
import { readConfig } from '@storefront/service'
import { seed } from '../seed.ts'
import { messageOf } from '../start-error.ts'

/** The job `seed` of docker-compose.yml: the demo shop for a shop that is not configured yet. */
const SeedConfig = z.object({
  SEED: z.enum(['demo', 'none'], 'must be demo or none').default('demo'),
  SHOP_URL: z.url({ protocol: /^https?$/ }),
  ADMIN_EMAIL: z.string(),
  ADMIN_PASSWORD: z.string(),
  MEDIA_DIR: z.string(),
})

try {
  const config = readConfig(SeedConfig, process.env)
  const print = (line: string) => process.stdout.write(`${line}\n`)
  const seeded =
    config.SEED === 'demo' &&
    (await seed({
      url: config.SHOP_URL,
      adminEmail: config.ADMIN_EMAIL,
      adminPassword: config.ADMIN_PASSWORD,
      mediaDir: config.MEDIA_DIR,
      print,
    }))
  if (!seeded) print('Nothing to load.')
} catch (error) {
  process.stderr.write(`seed: ${messageOf(error)}\n`)
  process.exitCode = 1
}
