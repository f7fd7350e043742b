import { spawn, type ChildProcess } from 'node:child_process'
import { freePort } from '@storefront/tools/infrastructure'
import { builtProgram, type Suite } from '@storefront/tools/testing'
import { PUBLIC_URL } from './catalog.ts'

const MAIN = await builtProgram('services/catalog/src/main.ts')

/** Starts the service in a separate process, which the test ends. */
export async function spawnCatalog(
  suite: Suite,
  env: Record<string, string> = {},
): Promise<{ child: ChildProcess; url: string }> {
  const port = String(await freePort())
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN], {
    env: { ...process.env, ...suite.env('catalog'), ...env, PUBLIC_URL, PORT: port, HOST: '127.0.0.1' },
    stdio: 'ignore',
  })
  return { child, url: `http://127.0.0.1:${port}` }
}
