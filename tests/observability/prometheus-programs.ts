import { execFile } from 'node:child_process'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { fetchDebianPackage } from '@storefront/tools/infrastructure'
import { packageCache } from '@storefront/tools/testing'
import { printSkipped } from '../support/print-skipped.ts'

export interface PrometheusPrograms {
  prometheus: string
  promtool: string
}

/**
 * Prometheus and its promtool from PATH, or from the Debian package (19 MB, kept between runs).
 * @returns undefined, after a message on the terminal, where there is neither
 */
export async function findPrometheus(): Promise<PrometheusPrograms | undefined> {
  const programs = { prometheus: 'prometheus', promtool: 'promtool' }
  const isThere = Object.values(programs).map((name) => promisify(execFile)(name, ['--version']))
  if ((await Promise.allSettled(isThere)).every(({ status }) => status === 'fulfilled')) return programs
  const found = await fetchDebianPackage('prometheus', { cacheDir: packageCache(), env: process.env, print: () => {} })
  if ('file' in found) return { prometheus: found.file, promtool: join(dirname(found.file), 'promtool') }
  const advice = 'Put prometheus and promtool on PATH.'
  printSkipped('alerts and dashboards against a real Prometheus', `${advice} ${found.fault}`.trim())
  return undefined
}
