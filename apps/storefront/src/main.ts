import { readConfig } from './config.ts'
import { createStorefront } from './server/app.ts'

/** Pages that are being rendered at a stop get this long. */
const STOP_TIMEOUT_MS = 10_000

try {
  const config = readConfig(process.env)
  const app = await createStorefront(config)
  const url = await app.listen({ host: config.HOST, port: config.PORT })
  app.log.info({ url }, 'listening')
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref()
      void app.close().then(() => process.exit(0))
    })
  }
} catch (error) {
  process.stderr.write(`storefront: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
