import { join, relative } from 'node:path'
import type { RunningShop } from './launch.ts'
import { secretsPath } from './secrets.ts'
import { mailDir } from './service-environment.ts'
import { webhookSecretName } from './shop-secrets.ts'
import type { ShopSettings } from './shop-settings.ts'

interface Summary {
  shop: RunningShop
  settings: ShopSettings
  dataDir: string
  elapsedMs: number
}

/**
 * What a person needs to know about the running shop. The only secrets are a generated admin password, and the token of
 * the mail pages.
 */
export function summaryTable({ shop, settings, dataDir, elapsedMs }: Summary): string {
  const { postgres, redis, nats } = shop.infrastructure
  const password = settings.ADMIN_PASSWORD === undefined ? shop.adminPassword : 'the one in ADMIN_PASSWORD'
  return labeledRows([
    ['Storefront', shop.storefront ? shop.storefrontUrl : `${shop.storefrontUrl}   not started here`],
    ['Shop', shop.publicUrl],
    ['Console', `${shop.publicUrl}/console`],
    ['API docs', `${shop.publicUrl}/docs`],
    ['OpenAPI', `${shop.publicUrl}/openapi.json`],
    ['Admin sign-in', `${shop.adminEmail}   password: ${password}`],
    ['', `POST ${shop.publicUrl}/admin/auth/login`],
    ['Browsers from', settings.STOREFRONT_ORIGINS.join('  ')],
    ['Webhooks to', `${settings.STOREFRONT_WEBHOOK_URL ?? shop.storefrontUrl}/api/revalidate`],
    ['', `signed with ${webhookSecretName} of ${short(secretsPath(dataDir))}`],
    ...mailRows({ shop, settings, dataDir }),
    ['Data', short(dataDir)],
    ['Logs', short(join(dataDir, 'logs'))],
    [
      'Metrics',
      `${shop.metricsUrls.gateway}   of the gateway; the others in ${short(join(dataDir, 'processes.json'))}`,
    ],
    ['PostgreSQL', `${addressOf(postgres.url)}   ${postgres.source}`],
    ['Redis', `${addressOf(redis.url)}   ${redis.source}`],
    ['NATS', `${addressOf(nats.url)}   ${nats.source}`],
    ['Ready after', `${(elapsedMs / 1000).toFixed(1)} s`],
  ])
}

function mailRows({ shop, settings, dataDir }: Pick<Summary, 'shop' | 'settings' | 'dataDir'>): [string, string][] {
  if (settings.SMTP_URL !== undefined) return [['Mail', `via ${new URL(settings.SMTP_URL).host}`]]
  return [
    ['Mail', `${shop.mailboxPage ?? ''}   shows what the shop sends`],
    ['', `files in ${short(mailDir(dataDir))}`],
  ]
}

/** Rows of a summary, their values below each other. */
export function labeledRows(rows: readonly [label: string, value: string][]): string {
  const width = Math.max(...rows.map(([label]) => label.length))
  return rows.map(([label, value]) => `  ${label.padEnd(width)}   ${value}\n`).join('')
}

/** Host and port, without the credentials. */
function addressOf(urls: string): string {
  const hosts = urls.split(',').map((url) => (URL.canParse(url) ? new URL(url).host : url.replace(/^.*@/, '')))
  return hosts.join(', ')
}

function short(path: string): string {
  const shorter = relative(process.cwd(), path)
  return shorter !== '' && !shorter.startsWith('..') ? shorter : path
}
