import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import { SERVICE_NAMES } from '@storefront/contracts'
import { compileCacheDir, serviceCommand } from './service-command.ts'

const TIMEOUT_MS = 60_000

/**
 * Fills the cache of compiled code before the first start of the services: each is run without a configuration, loads its
 * code, and refuses to start. Only a convenience: when it fails the services compile for themselves.
 */
export async function warmCompileCache(cacheDir: string): Promise<void> {
  if (existsSync(compileCacheDir(cacheDir))) return
  for (const service of SERVICE_NAMES) {
    const { file, args, cwd, env } = serviceCommand(service, {}, cacheDir)
    await promisify(execFile)(file, args, { cwd, env, timeout: TIMEOUT_MS }).catch(() => {})
  }
}
