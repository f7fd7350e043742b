import { join } from 'node:path'
import { builtFolder } from './build-app.ts'
import type { Command } from './infrastructure/child-process.ts'
import { freePort, isPortFree } from './infrastructure/free-port.ts'
import type { Programs } from './programs/build-programs.ts'
import { internalUrl, publicUrl, type LaunchContext } from './service-environment.ts'
import type { ShopSettings } from './shop-settings.ts'

/** The port of the default STOREFRONT_URL. */
const PREFERRED_PORT = 5173

/**
 * Chooses the port of the storefront: that of the default STOREFRONT_URL, unless another program uses it. With PORT 0
 * all ports are free ones.
 * @param before the port of the last start
 */
export async function chooseStorefrontPort(shopPort: number, before: number | undefined): Promise<number> {
  if (shopPort === 0) return freePort(before)
  const isFree = (await isPortFree(PREFERRED_PORT, '0.0.0.0')) && (await isPortFree(PREFERRED_PORT))
  return freePort(isFree ? PREFERRED_PORT : before)
}

/** @returns the settings with the address of the shop's own storefront, to which webhooks go and mails link */
export function withStorefront(settings: ShopSettings, port: number): ShopSettings {
  const url = `http://localhost:${port}`
  const origins = [...new Set([url, ...settings.STOREFRONT_ORIGINS])]
  return {
    ...settings,
    STOREFRONT_URL: url,
    STOREFRONT_ORIGINS: origins,
    given: { ...settings.given, STOREFRONT_URL: url, STOREFRONT_ORIGINS: origins.join(',') },
  }
}

/** The command of the reference storefront, as it was built. @param port where it listens */
export function storefrontCommand(
  { settings, secrets, ports }: LaunchContext,
  port: number,
  { compileCache }: Programs,
): Command {
  return {
    file: process.execPath,
    args: [
      '--disable-warning=ExperimentalWarning',
      '--max-old-space-size=512',
      join(builtFolder('storefront'), 'server/main.js'),
    ],
    cwd: builtFolder('storefront'),
    env: {
      NODE_ENV: 'production',
      NODE_COMPILE_CACHE: compileCache,
      HOST: '0.0.0.0',
      PORT: String(port),
      SHOP_URL: `${internalUrl(ports.gateway[0])}${settings.PUBLIC_BASE_PATH}`,
      PUBLIC_URL: publicUrl(settings, ports.gateway[0]),
      STOREFRONT_URL: settings.STOREFRONT_URL,
      STOREFRONT_KEY: secrets.storefrontKey,
      STOREFRONT_WEBHOOK_SECRET: secrets.webhookSecret,
      LOG_LEVEL: settings.LOG_LEVEL,
    },
  }
}
