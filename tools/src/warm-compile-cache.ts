import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { SERVICE_NAMES } from '@storefront/contracts'
import { withPrivateFiles } from './files.ts'
import { compileCacheDir, serviceCommand } from './service-command.ts'

const TIMEOUT_MS = 60_000

/**
 * Fills the cache of compiled code before the first start of the services: runs each without a configuration, so that
 * it loads its code and exits. Only an optimization: when it fails, the services compile their code themselves.
 * @param signal cancels it, and ends its processes
 */
export async function warmCompileCache(cacheDir: string, signal?: AbortSignal): Promise<void> {
  if (existsSync(compileCacheDir(cacheDir))) return
  for (const service of SERVICE_NAMES) {
    if (signal?.aborted === true) return
    const { file, args, cwd, env } = serviceCommand(service, {}, cacheDir)
    const options = { cwd, env, timeout: TIMEOUT_MS, killSignal: 'SIGKILL', ...(signal && { signal }) } as const
    await new Promise<void>((resolve) => {
      const child = withPrivateFiles(() => spawn(file, args, { ...options, stdio: 'ignore' }))
      child.once('close', () => resolve())
      // An aborted process also causes an error, but ends only a moment later, with `close`.
      child.once('error', () => child.pid === undefined && resolve())
    })
  }
}
