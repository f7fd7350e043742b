import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify, parse } from 'yaml'
import { z } from 'zod'
import { freePort } from '@storefront/tools/infrastructure'
import { waitFor } from '@storefront/tools/testing'
import { readText, repository } from '../repository/source-files.ts'
import { FOLDER } from './observability-files.ts'

export interface ScrapeTarget {
  service: string
  /** `host:port` */
  address: string
  path: string
}

export interface RunningPrometheus {
  /** The data of a response of its API. @throws Error when the API reports an error */
  request(path: string, parameters?: Record<string, string>): Promise<unknown>
  stop(): Promise<void>
}

const Configuration = z.looseObject({ scrape_configs: z.array(z.looseObject({ job_name: z.string() })) })
const ResponseBody = z.object({ status: z.string(), data: z.unknown(), error: z.string().optional() })

export interface MorePrometheus {
  /** Scraped in addition to the targets, as `scrape_configs` has them. */
  jobs?: readonly object[]
  /** In place of the rules of the shop. */
  ruleFile?: string
}

/** Starts Prometheus with the configuration of the shop, but with these targets and an interval of one second. */
export async function startPrometheus(
  program: string,
  targets: readonly ScrapeTarget[],
  { jobs = [], ruleFile = join(repository, FOLDER, 'alerts/*.yml') }: MorePrometheus = {},
): Promise<RunningPrometheus> {
  const folder = await mkdtemp(join(tmpdir(), 'storefront-prometheus-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const configuration = Configuration.parse(parse(readText(`${FOLDER}/prometheus.yml`)))
  const file = join(folder, 'prometheus.yml')
  await writeFile(
    file,
    stringify({
      ...configuration,
      global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
      rule_files: [ruleFile],
      scrape_configs: [
        ...configuration.scrape_configs.map((job) => {
          const { dns_sd_configs: _names, relabel_configs: _labels, ...rest } = job
          const own = { prometheus: [{ targets: [`127.0.0.1:${port}`] }], storefront: targets.map(toStatic) }
          return { ...rest, static_configs: Object.entries(own).find(([name]) => name === job.job_name)?.[1] ?? [] }
        }),
        ...jobs,
      ],
    }),
  )
  const child = spawn(
    program,
    [`--config.file=${file}`, `--storage.tsdb.path=${join(folder, 'data')}`, `--web.listen-address=127.0.0.1:${port}`],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  let log = ''
  child.stderr.on('data', (part: Buffer) => (log += part.toString('utf8')))
  const exited = once(child, 'exit')

  await waitFor('Prometheus to be ready', async () => {
    if (child.exitCode !== null) throw new Error(log)
    return (await fetch(`${url}/-/ready`)).ok
  })
  return {
    async request(path, parameters = {}) {
      const response = await fetch(`${url}/api/v1/${path}?${new URLSearchParams(parameters).toString()}`)
      const { status, data, error } = ResponseBody.parse(await response.json())
      if (status !== 'success') throw new Error(`${error}: ${JSON.stringify(parameters)}`)
      return data
    },
    async stop() {
      child.kill('SIGTERM')
      await exited
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function toStatic({ service, address, path }: ScrapeTarget) {
  return { targets: [address], labels: { service, __metrics_path__: path } }
}
