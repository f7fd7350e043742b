import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  PORTS,
  postgresPrimary,
  redisPrimary,
  startCluster,
  type RunningCluster,
} from '@storefront/tools/high-availability'
import { fetchDebianPackage, freePort } from '@storefront/tools/infrastructure'
import { packageCache, temporaryFolder, waitFor } from '@storefront/tools/testing'
import { readText } from '../repository/source-files.ts'
import { printSkipped } from '../support/print-skipped.ts'
import { FOLDER, rules } from './observability-files.ts'
import { findPrometheus } from './prometheus-programs.ts'
import { readExpression } from './promql.ts'
import { startPrometheus, type RunningPrometheus } from './start-prometheus.ts'

/** Debian has no package of the exporters of NATS and pgBackRest, and none of CloudNativePG. */
const UNTESTED = /^(jetstream|pgbackrest|cnpg|barman)_/
/** Exported from version 0.12 of postgres_exporter on, which is newer than that of Debian 12. */
const NEWER = new Set(['pg_replication_lag_seconds', 'pg_replication_is_replica'])
const MONITOR_PASSWORD = 'reads-statistics'

const Values = z.object({ result: z.array(z.object({ metric: z.record(z.string(), z.string()) })) })
const Alerts = z.object({ alerts: z.array(z.object({ labels: z.object({ alertname: z.string() }) })) })

const programs = await findPrograms()

async function findPrograms() {
  const prometheus = await findPrometheus()
  const options = { cacheDir: packageCache(), env: process.env, print: () => {} }
  const postgres = await fetchDebianPackage('prometheus-postgres-exporter', options)
  const redis = await fetchDebianPackage('prometheus-redis-exporter', options)
  if (prometheus && 'file' in postgres && 'file' in redis) {
    return { prometheus: prometheus.prometheus, postgres: postgres.file, redis: redis.file }
  }
  printSkipped('the alerts on replication with real exporters', 'Debian packages of them are needed.')
  return undefined
}

describe.skipIf(!programs)('the alerts on replication with real exporters', () => {
  let cluster: RunningCluster
  let prometheus: RunningPrometheus
  const stops: (() => Promise<unknown>)[] = []

  beforeAll(async () => {
    const folder = await temporaryFolder('storefront-exporters')
    const dataDir = join(folder, 'shop')
    cluster = await startCluster({ env: {}, dataDir, cacheDir: packageCache(), print: () => {} })
    stops.push(() => cluster.stop())
    const ruleFile = join(folder, 'replication.yml')
    // What is compared with the last day or quarter of an hour is compared with the last seconds here.
    const quick = readText(`${FOLDER}/alerts/replication.yml`)
      .replaceAll('[1d:5m]', '[1h:1s]')
      .replaceAll('offset 15m', 'offset 20s')
    await writeFile(ruleFile, quick)
    prometheus = await startPrometheus(programs?.prometheus ?? '', [], { ruleFile, jobs: await startExporters() })
    stops.push(() => prometheus.stop())
  })

  afterAll(async () => {
    for (const stop of stops.toReversed()) await stop()
  })

  function startExporter(program: string, args: string[], env: Record<string, string>): void {
    const child = spawn(program, args, { env, stdio: 'ignore' })
    const exited = once(child, 'exit')
    stops.push(async () => {
      child.kill('SIGTERM')
      await exited
    })
  }

  /** @returns the jobs of Prometheus that docs/operations.md, "Metrics of replication", describes */
  async function startExporters(): Promise<object[]> {
    const client = new Client({ connectionString: cluster.databaseUrl })
    await client.connect()
    await client.query(`create role monitor login password '${MONITOR_PASSWORD}' in role pg_monitor`)
    await client.end()
    const addresses = Object.values(cluster.machines).map(({ address }) => address)
    const postgres: string[] = []
    for (const address of addresses) {
      const listens = `127.0.0.1:${await freePort()}`
      const url = `postgres://monitor:${MONITOR_PASSWORD}@${address}:${PORTS.postgres}/postgres?sslmode=disable`
      startExporter(programs?.postgres ?? '', [`--web.listen-address=${listens}`], { DATA_SOURCE_NAME: url })
      postgres.push(listens)
    }
    const redis = `127.0.0.1:${await freePort()}`
    startExporter(programs?.redis ?? '', [`--web.listen-address=${redis}`], { REDIS_PASSWORD: cluster.redisPassword })
    const servers = addresses.flatMap((host) => [PORTS.redis, PORTS.sentinel].map((port) => `redis://${host}:${port}`))
    const onMachines = (port: number) => addresses.map((host) => `${host}:${port}`)
    return [
      { job_name: 'patroni', static_configs: [{ targets: onMachines(PORTS.patroni) }] },
      { job_name: 'patroni-etcd', static_configs: [{ targets: onMachines(PORTS.etcd) }] },
      {
        job_name: 'postgres-primary',
        static_configs: [{ targets: onMachines(PORTS.haproxyHealth), labels: { scope: 'storefront' } }],
      },
      { job_name: 'postgres', static_configs: [{ targets: postgres }] },
      {
        job_name: 'redis',
        metrics_path: '/scrape',
        static_configs: [{ targets: servers }],
        relabel_configs: [
          { source_labels: ['__address__'], target_label: '__param_target' },
          { source_labels: ['__param_target'], target_label: 'instance' },
          { target_label: '__address__', replacement: redis },
        ],
      },
    ]
  }

  const query = async (expression: string) =>
    Values.parse(await prometheus.request('query', { query: expression })).result

  /** The alerts whose condition is met now; most fire when it has been met for minutes. */
  const met = async () => Alerts.parse(await prometheus.request('alerts')).alerts.map(({ labels }) => labels.alertname)

  test('every series and every label of the alerts exists', async () => {
    const read = rules()
      .filter((rule) => {
        const name = 'alert' in rule ? `alert: ${rule.alert}\n` : `record: ${rule.record}\n`
        return readText(`${FOLDER}/alerts/replication.yml`).includes(name)
      })
      .flatMap(({ expr }) => readExpression(expr).selectors)
      .filter(({ metric }) => !UNTESTED.test(metric) && !NEWER.has(metric))
    expect([...new Set(read.map(({ metric }) => metric))]).toEqual([
      'pg_stat_replication_pg_wal_lsn_diff',
      'patroni_replica',
      'patroni_postgres_running',
      'patroni_primary',
      'haproxy_backend_active_servers',
      'patroni_sync_standby',
      'postgres:standbys:count',
      'patroni_xlog_location',
      'patroni_xlog_replayed_location',
      'patroni_postgres_timeline',
      'up',
      'etcd_server_has_leader',
      'patroni_dcs_last_seen',
      'pg_stat_archiver_failed_count',
      'redis_connected_slave_offset_bytes',
      'redis_connected_slave_lag_seconds',
      'redis_master_repl_offset',
      'redis_sentinel_master_ok_sentinels',
      'redis_sentinel_master_status',
    ])
    const missing = async () => {
      const found = await Promise.all(
        read.map(async ({ metric, labels }) => {
          const series = await query(metric)
          return series.some((one) => labels.every((label) => label in one.metric)) ? [] : [metric]
        }),
      )
      return found.flat()
    }
    await waitFor('every series', async () => (await missing()).length === 0)
    expect(await missing()).toEqual([])
  })

  test('none has its condition met in a complete cluster', async () => {
    await waitFor(
      'two standbys',
      async () => (await query('pg_stat_replication_pg_wal_lsn_diff{state="streaming"}')).length === 2,
    )
    // Alerts on a failover compare with what was 20 seconds ago.
    await waitFor('25 seconds of values', async () => (await query('patroni_primary offset 25s')).length === 3)
    expect(await met()).toEqual([])
  })

  test.each([
    [
      'PostgreSQL',
      postgresPrimary,
      ['PostgresWithoutPrimary', 'PostgresFailover', 'PostgresStandbyMissing', 'EtcdMemberMissing'],
    ],
    ['Redis', redisPrimary, ['RedisReplicaMissing', 'RedisFailover', 'SentinelsMissing']],
  ] as const)(
    'the loss of the machine with the primary of %s is seen by every alert that is about it, and they end when it is back',
    async (_engine, findPrimary, expected) => {
      const machine = await findPrimary(cluster)
      expect(machine).toBeDefined()
      const seen = new Set<string>()
      await machine?.lose()
      try {
        await waitFor('every alert', async () => {
          for (const name of await met()) seen.add(name)
          return expected.every((name) => seen.has(name))
        })
      } finally {
        await machine?.start()
      }
      // That another Redis became the primary is shown for a quarter of an hour.
      const others = async () => (await met()).filter((name) => name !== 'RedisFailover')
      await waitFor('the others to end', async () => (await others()).length === 0, 180_000)
    },
  )
})
