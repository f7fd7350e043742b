import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { SERVICE_NAMES } from '@storefront/contracts'
import { natsClusterSecrets, patroniSecrets } from '@storefront/tools/infrastructure'
import { codeBlocks } from '../documents/code-blocks.ts'
import { readText, repository } from '../repository/source-files.ts'
import { composeFile } from './engine.ts'
import { mergedComposeFile } from './merged-compose-file.ts'

const folder = 'deploy/high-availability'
const { services, networks, volumes, changed } = mergedComposeFile(`${folder}/compose.yml`)
const entries = Object.entries(services)
const POSTGRES = ['postgres', 'postgres-2', 'postgres-3']
const REDIS = ['redis', 'redis-2', 'redis-3']
const SENTINELS = ['sentinel-1', 'sentinel-2', 'sentinel-3']
const NATS = ['nats', 'nats-2', 'nats-3']
const ETCD = ['etcd-1', 'etcd-2', 'etcd-3']
const SERVERS = [...POSTGRES, ...REDIS, ...SENTINELS, ...NATS, ...ETCD]

describe.each(entries.filter(([name]) => changed.includes(name)))('%s', (_name, service) => {
  test('can gain no privileges, cannot write to its image, has a memory limit and needs no shell for its health check', () => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      mem_limit: expect.stringMatching(/^\d+m$/),
    })
    expect(service.healthcheck?.test?.[0] ?? 'CMD').toBe('CMD')
  })

  test('runs an image with a version, or one that this repository builds', () => {
    expect(service.image).toMatch(/^storefront(-edge|-etcd|-postgres)?$|:\d+(\.\d+)?-alpine$|:v\d+(\.\d+)+$/)
  })

  test('has no secret in its environment', () => {
    const variables = Object.entries(service.environment ?? {}).filter(([name]) => /PASSWORD|SECRET|KEY/.test(name))
    // A name without a value passes on the variable of the operator; a file holds a generated one.
    expect(variables.filter(([name, value]) => value !== null && !name.endsWith('_FILE'))).toEqual([])
  })

  test('uses networks and volumes that exist', () => {
    expect(Object.keys(service.networks ?? {}).filter((name) => !(name in networks))).toEqual([])
    const named = (service.volumes ?? []).map((mount) => mount.split(':')[0] ?? '').filter((name) => /^\w/.test(name))
    expect(named.filter((name) => !(name in volumes))).toEqual([])
  })
})

test('there are three of each server, two of each service and gateway, and two proxies to the primary', () => {
  const names = entries.map(([name]) => name)
  const servers = names.filter((name) => /^(postgres|redis|sentinel|nats|etcd)(-\d)?$/.test(name))
  expect(servers.toSorted()).toEqual(SERVERS.toSorted())
  for (const name of [...SERVICE_NAMES, 'postgres-primary']) expect(services[name]?.deploy?.replicas, name).toBe(2)
})

test('no more ports are published than without the overlay, and none of a server', () => {
  const ports = (all: Record<string, { ports?: string[] | undefined }>) =>
    Object.entries(all).flatMap(([name, { ports: own = [] }]) => own.map((port) => `${name} ${port}`))
  expect(ports(services)).toEqual(ports(composeFile().services))
})

test('each server has a volume of its own for its data, which a shop with one of each does not use', () => {
  const places = ['/var/lib/postgresql/data', '/data', '/var/lib/etcd']
  const volumesOf = (all: typeof services) =>
    Object.entries(all).flatMap(([name, { volumes: mounts = [] }]) =>
      mounts
        .filter((mount) => places.includes(mount.split(':')[1] ?? ''))
        .map((mount) => ({ name, volume: mount.split(':')[0] })),
    )
  const used = volumesOf(services)
  expect(used.map(({ name }) => name).toSorted()).toEqual(SERVERS.toSorted())
  expect(new Set(used.map(({ volume }) => volume)).size).toBe(SERVERS.length)
  expect(used.filter(({ volume = '' }) => ['postgres', 'redis', 'nats'].includes(volume))).toEqual([])
})

test('no container gets the secrets of another kind of server', () => {
  const mounted = entries.flatMap(([name, { volumes: mounts = [] }]) =>
    mounts.filter((mount) => mount.startsWith('secrets')).map((mount) => ({ name, volume: mount.split(':')[0] })),
  )
  const foreign = mounted.filter(({ name, volume }) => name !== 'configure' && volume !== `secrets-${kindOf(name)}`)
  expect(mounted.length).toBeGreaterThan(10)
  expect(foreign).toEqual([])

  function kindOf(name: string): string {
    return name.replace(/^sentinel/, 'redis').replace(/-[123]$/, '')
  }
})

test('only PostgreSQL reaches etcd, which has no password', () => {
  const reaching = entries.filter(([, service]) => 'etcd' in (service.networks ?? {})).map(([name]) => name)
  expect(reaching.toSorted()).toEqual([...ETCD, ...POSTGRES].toSorted())
  expect(networks['etcd']).toMatchObject({ internal: true })
  // In its other network it serves metrics only.
  const addresses = addressIn('etcd', ETCD)
  const listens = (variable: string) => valueOf(ETCD, variable).map((urls) => String(urls).split(','))
  expect(listens('ETCD_LISTEN_PEER_URLS')).toEqual(addresses.map((address) => [`http://${address}:2380`]))
  expect(listens('ETCD_LISTEN_CLIENT_URLS')).toEqual(
    addresses.map((address) => [`http://${address}:2379`, 'http://127.0.0.1:2379']),
  )
})

const addressIn = (network: string, names: readonly string[]) =>
  names.map((name) => services[name]?.networks?.[network]?.ipv4_address ?? 'none')
const valueOf = (names: readonly string[], variable: string) =>
  names.map((name) => services[name]?.environment?.[variable])

test('the addresses that configure writes are those of servers, with the ports on which they listen', () => {
  const environment = services['configure']?.environment ?? {}
  const proxy = services['postgres-primary']?.environment ?? {}
  const [nats, sentinels] = [addressIn('inside', NATS), addressIn('inside', SENTINELS)]
  const joined = (addresses: string[], port: number) => addresses.map((address) => `${address}:${port}`).join(',')
  expect(environment['POSTGRES_ADDRESS']).toBe(`postgres-primary:${proxy['PRIMARY_PORT']}`)
  expect(environment['NATS_ADDRESSES']).toBe(joined(nats, 4222))
  expect(environment['NATS_ROUTES']).toBe(joined(nats, 6222))
  expect(environment['REDIS_SENTINELS']).toBe(joined(sentinels, 26379))
  expect([1, 2, 3].map((number) => proxy[`POSTGRES_${number}`])).toEqual(addressIn('database', POSTGRES))
  expect(services['migrate']?.environment?.['NATS_REPLICAS']).toBe(NATS.length)
})

test('the doctor expects a replica on every other server, and reaches Patroni and the health of etcd', () => {
  const urls = (names: readonly string[], port: number) =>
    addressIn('database', names)
      .map((address) => `http://${address}:${port}`)
      .join(',')
  expect(services['doctor']?.environment).toMatchObject({
    POSTGRES_STANDBYS: POSTGRES.length - 1,
    REDIS_REPLICAS: REDIS.length - 1,
    NATS_REPLICAS: NATS.length,
    PATRONI_URLS: urls(POSTGRES, 8008),
    ETCD_URLS: urls(ETCD, 2381),
  })
  expect(services['doctor']?.networks).toHaveProperty('database')
  expect(valueOf(ETCD, 'ETCD_LISTEN_METRICS_URLS')).toEqual(ETCD.map(() => 'http://0.0.0.0:2381'))
})

test('Prometheus scrapes each Patroni, each etcd and the proxies to the primary, which it reaches', () => {
  const Targets = z.array(z.object({ targets: z.array(z.string()), labels: z.record(z.string(), z.string()) }))
  const targets = Targets.parse(parse(readText(`${folder}/targets.yml`)))
  const scope = /^scope: (\w+)$/m.exec(readText(`${folder}/patroni.yml`))?.[1]
  expect(targets).toEqual([
    { targets: POSTGRES.map((name) => `${name}:8008`), labels: { job: 'patroni' } },
    { targets: ETCD.map((name) => `${name}:2381`), labels: { job: 'patroni-etcd' } },
    {
      targets: [`postgres-primary:${services['postgres-primary']?.environment?.['METRICS_PORT']}`],
      labels: { job: 'postgres-primary', scope },
    },
  ])
  const { networks: reached = {}, volumes: mounts = [] } = services['prometheus'] ?? {}
  expect(reached).toHaveProperty('database')
  for (const name of [...POSTGRES, ...ETCD, 'postgres-primary']) {
    expect(services[name]?.networks, name).toHaveProperty('database')
  }
  // It reads files of this name beside its configuration.
  expect(mounts).toContain(`./${folder}/targets.yml:/etc/prometheus/high-availability-targets.yml:ro`)
  expect(mounts).toContain('./deploy/observability/prometheus.yml:/etc/prometheus/prometheus.yml:ro')
  expect(readText('deploy/observability/prometheus.yml')).toContain("- files: ['*-targets.yml']\n")
})

test('each server has a fixed address, and is known to the others by it', () => {
  const [database, etcd] = [addressIn('database', POSTGRES), addressIn('etcd', ETCD)]
  const [redis = 'none', ...replicas] = addressIn('inside', REDIS)
  expect(valueOf(POSTGRES, 'PATRONI_NAME')).toEqual(POSTGRES)
  expect(valueOf(POSTGRES, 'PATRONI_POSTGRESQL_CONNECT_ADDRESS')).toEqual(database.map((address) => `${address}:5432`))
  expect(valueOf(POSTGRES, 'PATRONI_RESTAPI_CONNECT_ADDRESS')).toEqual(database.map((address) => `${address}:8008`))
  const clients = etcd.map((address) => `${address}:2379`)
  // Each server tries the etcd of its own number first.
  const ownFirst = clients.map((own) => [own, ...clients.filter((other) => other !== own)].join(','))
  expect(valueOf(POSTGRES, 'PATRONI_ETCD_HOSTS')).toEqual(ownFirst)
  expect(valueOf(ETCD, 'ETCD_ADVERTISE_CLIENT_URLS')).toEqual(clients.map((address) => `http://${address}`))
  const members = etcd.map((address, index) => `${ETCD[index]}=http://${address}:2380`)
  expect(valueOf(ETCD, 'ETCD_INITIAL_CLUSTER')).toEqual(ETCD.map(() => members.join(',')))
  expect(valueOf(REDIS, 'REDIS_ADDRESS')).toEqual([redis, ...replicas])
  expect(valueOf(SENTINELS, 'SENTINEL_ADDRESS')).toEqual(addressIn('inside', SENTINELS))
  expect(valueOf([...REDIS, ...SENTINELS], 'FIRST_PRIMARY')).toEqual([...REDIS, ...SENTINELS].map(() => redis))
  expect(valueOf(NATS, 'NATS_NAME')).toEqual(NATS)
})

test('no two servers have one address, and none is from the range of the other containers', () => {
  const Ipam = z.looseObject({
    ipam: z.object({ config: z.tuple([z.object({ subnet: z.string(), ip_range: z.string() })]) }),
  })
  for (const network of ['inside', 'database', 'etcd']) {
    const fixed = addressIn(network, Object.keys(services)).filter((address) => address !== 'none')
    const [{ subnet, ip_range: range }] = Ipam.parse(networks[network]).ipam.config
    const begin = subnet.replace('.0/24', '.')
    expect(range).toBe(`${begin}128/25`)
    expect(fixed.length).toBeGreaterThanOrEqual(3)
    expect(new Set(fixed).size).toBe(fixed.length)
    expect(fixed.filter((address) => !address.startsWith(begin))).toEqual([])
    // The first address of a network belongs to the engine.
    expect(
      fixed.map((address) => Number(address.slice(begin.length))).filter((last) => last < 2 || last > 127),
    ).toEqual([])
  }
})

test('the migrate job waits for a primary and for every server of NATS', () => {
  const healthy = ['postgres-primary', ...NATS].map((name) => [name, { condition: 'service_healthy' }])
  expect(services['migrate']?.depends_on).toMatchObject(Object.fromEntries(healthy))
})

test('the image has the folder of every volume to which configure writes', () => {
  const folders = services['configure']?.volumes?.map((volume) => volume.split(':')[1] ?? '') ?? []
  const [, made = ''] = /mkdir -p ((?:[^\\\n]|\\\n)*)/.exec(readText('Dockerfile')) ?? []
  expect(folders).toContain('/volumes/nats-data-3')
  expect(folders.filter((one) => !made.split(/\s+/).includes(one))).toEqual([])
})

describe('patroni.yml', () => {
  const Patroni = z.looseObject({
    scope: z.string(),
    bootstrap: z.looseObject({
      dcs: z.looseObject({
        ttl: z.number(),
        loop_wait: z.number(),
        retry_timeout: z.number(),
        postgresql: z.looseObject({ parameters: z.record(z.string(), z.unknown()) }),
      }),
    }),
  })
  const { scope, bootstrap } = Patroni.parse(parse(readText(`${folder}/patroni.yml`)))
  const { dcs } = bootstrap

  test('replaces a lost primary within ten seconds, by a standby that has every acknowledged commit', () => {
    expect(dcs.loop_wait + 2 * dcs.retry_timeout).toBeLessThanOrEqual(dcs.ttl)
    expect(dcs.ttl).toBeLessThan(8)
    expect(dcs).toMatchObject({ synchronous_mode: true, synchronous_node_count: 1, primary_start_timeout: 0 })
    expect(dcs.postgresql).toMatchObject({ use_pg_rewind: true, parameters: { wal_log_hints: 'on' } })
    expect(readText(`${folder}/patroni.yml`)).toMatch(/^ {4}- data-checksums$/m)
  })

  test('is where patronictl looks for it, and every documented reinit and remove names its cluster', () => {
    const [, place] = /^CMD \["(.+)"\]$/m.exec(readText(`${folder}/Dockerfile`)) ?? []
    expect(readText(`${folder}/Dockerfile`)).toContain(` PATRONICTL_CONFIG_FILE=${place}\n`)
    const texts = ['docs/operations.md', 'tools/src/doctor/check-replication.ts'].map(readText).join('')
    const reinits = texts.match(/patronictl reinit( \w+ NODE)?/g)
    expect(new Set(reinits)).toEqual(new Set([`patronictl reinit ${scope} NODE`]))
    expect(texts).toContain(`printf '${scope}\\nYes I am aware\\n' | `)
    expect(texts).toContain(` patronictl postgres remove ${scope}\n`)
  })

  test('allows as many connections as docker-compose.yml does', () => {
    const [, single] = /-cmax_connections=(\d+)/.exec(readText('docker-compose.yml')) ?? []
    expect(dcs.postgresql.parameters['max_connections']).toBe(Number(single))
  })

  test('is merged with a file of passwords, which holds nothing else', () => {
    const secrets: unknown = parse(patroniSecrets({ superuser: 'one', replication: 'two', restApi: 'three' }))
    expect(secrets).toEqual({
      restapi: { authentication: { username: 'patroni', password: 'three' } },
      postgresql: {
        authentication: {
          superuser: { username: 'postgres', password: 'one' },
          replication: { username: 'replicator', password: 'two' },
        },
      },
    })
    expect(readText(`${folder}/patroni.yml`)).not.toMatch(/password:/)
  })
})

describe('compose-archive.yml', () => {
  const archived = mergedComposeFile(`${folder}/compose.yml`, `${folder}/compose-archive.yml`)
  const Settings = z.object({
    postgresql: z.object({
      parameters: z.object({ archive_mode: z.string(), archive_command: z.string(), archive_timeout: z.number() }),
    }),
  })
  const { parameters } = Settings.parse(parse(readText(`${folder}/patroni-archive.yml`))).postgresql

  test('is needed for an archive: without it no log is kept for one, and PostgreSQL reaches nothing outside', () => {
    expect(readText(`${folder}/patroni.yml`)).not.toMatch(/^ *archive_/m)
    const reached = new Set(POSTGRES.flatMap((name) => Object.keys(services[name]?.networks ?? {})))
    expect([...reached]).toEqual(['database', 'etcd'])
    for (const name of reached) expect(networks[name]).toMatchObject({ internal: true })
  })

  test('gives PostgreSQL alone a network to the bucket, settings after those of patroni.yml, and keys in a file', () => {
    expect(archived.changed).toEqual(POSTGRES)
    expect(archived.networks['archive']).toEqual({})
    const reaching = Object.entries(archived.services).filter(([, service]) => 'archive' in (service.networks ?? {}))
    expect(reaching.map(([name]) => name)).toEqual(POSTGRES)
    const [, data] = /^ {2}data_dir: (\S+)$/m.exec(readText(`${folder}/patroni.yml`)) ?? []
    for (const [name, { environment = {}, volumes: mounts }] of reaching) {
      expect(environment).toMatchObject({ PATRONI_NAME: name, PGBACKREST_PG1_PATH: data })
      expect(Object.keys(environment).filter((variable) => /^PGBACKREST_.*(KEY|PASS|TOKEN)/.test(variable))).toEqual([])
      expect(mounts).toContain(`./${folder}/patroni-archive.yml:/etc/patroni/cluster/30-archive.yml:ro`)
      expect(mounts).toContainEqual(expect.stringMatching(/^\$\{PGBACKREST_FILE:\?.*\}:\/etc\/pgbackrest\.conf:ro$/))
    }
  })

  test('archives by a command that needs no shell, with pgBackRest and the certificates of the image', () => {
    expect(parameters.archive_mode).toBe('on')
    expect(parameters.archive_command).toMatch(/^pgbackrest [\w-]+ %p$/)
    const [, documented] = /^archive_timeout = (\d+)$/m.exec(readText('docs/operations.md')) ?? []
    expect(parameters.archive_timeout).toBe(Number(documented))
    const [, packages = ''] = / --no-install-recommends (.+) \\$/m.exec(readText(`${folder}/Dockerfile`)) ?? []
    expect(packages.split(' ')).toEqual(expect.arrayContaining(['ca-certificates', 'pgbackrest', 'postgresql-15']))
  })

  test('restores a node beside its old data, and stops it only when it has left recovery', () => {
    const place = mkdtempSync(join(tmpdir(), 'storefront-restore-'))
    try {
      const data = join(place, 'patroni')
      mkdirSync(data)
      writeFileSync(join(data, 'old'), '')
      // PostgreSQL accepts connections when it has been asked whether it still runs.
      const recovered = `grep -q status '${place}/calls'`
      for (const [program, ending] of [['pgbackrest'], ['pg_ctl'], ['pg_isready', recovered]]) {
        const script = `#!/bin/sh\necho "${program} $*" >> '${place}/calls'\n${ending ?? ''}\n`
        writeFileSync(join(place, program ?? ''), script, { mode: 0o755 })
      }
      const path = `${place}${delimiter}${process.env['PATH'] ?? ''}`
      execFileSync('sh', [join(repository, folder, 'restore.sh'), '2026-11-21T08:00:00Z'], {
        env: { PATH: path, PGBACKREST_PG1_PATH: data },
        timeout: 10_000,
      })
      expect(readFileSync(join(place, 'calls'), 'utf8').trim().split('\n')).toEqual([
        'pgbackrest --type=time --target=2026-11-21 08:00:00+00 --target-action=promote --target-timeline=latest restore',
        expect.stringMatching(/^pg_ctl .* hot_standby=off .* start$/),
        'pg_isready --quiet',
        expect.stringMatching(/^pg_ctl .* status$/),
        'pg_isready --quiet',
        expect.stringMatching(/^pg_ctl .* stop$/),
      ])
      expect(readdirSync(data)).toEqual([])
      const kept = readdirSync(place).filter((name) => /^patroni-\d{8}T\d{6}Z$/.test(name))
      expect(kept.flatMap((name) => readdirSync(join(place, name)))).toEqual(['old'])
    } finally {
      rmSync(place, { recursive: true, force: true })
    }
  })
})

test('HAProxy sends writes to the node that Patroni reports as the primary, and ends connections to others', () => {
  const text = readText(`${folder}/haproxy.cfg`)
  const backend = (name: string) =>
    text.split(/^(?=backend |frontend )/m).find((part) => part.startsWith(`backend ${name}\n`))
  expect(backend('primary')).toMatch(/uri \/primary\n {4}default-server on-marked-down shutdown-sessions\n/)
  expect(backend('standbys')).toMatch(/uri \/replica\?lag=\d+MB\n/)
  for (const name of ['primary', 'standbys']) {
    expect(backend(name)?.match(/^ {4}server \S+ "\$\{POSTGRES_\d\}:5432" /gm)).toHaveLength(3)
  }
})

test('HAProxy closes a connection whose other end is silent, with and without data on its way', () => {
  const text = readText(`${folder}/haproxy.cfg`)
  const keepalives = (end: string) =>
    ['idle', 'intvl', 'cnt'].map((name) => new RegExp(`^ {4}${end}tcpka-${name} (\\d+)s?$`, 'm').exec(text)?.[1])
  expect(text.match(/^ {4}option (cli|srv)tcpka$/gm)).toHaveLength(2)
  expect(keepalives('srv')).toEqual(['2', '1', '3'])
  expect(text.match(/^ {4}server postgres-.* tcp-ut 5s$/gm)).toHaveLength(6)

  const patroni = readText(`${folder}/patroni.yml`)
  const ofPostgres = ['keepalives_idle', 'keepalives_interval', 'keepalives_count', 'user_timeout'].map(
    (name) => new RegExp(`^ {4}tcp_${name}: (\\w+)$`, 'm').exec(patroni)?.[1],
  )
  expect([...keepalives('cli'), '10s']).toEqual(ofPostgres)
  expect(text.match(/^ {4}bind .*_PORT\}" tcp-ut 10s$/gm)).toHaveLength(2)
})

test('nats.conf uses every variable that configure writes for it, and each variable comes from there or from its container', () => {
  const text = readText(`${folder}/nats.conf`)
  const used = new Set([...text.matchAll(/\$(\w+)/g)].map(([, name = '']) => name))
  const written = natsClusterSecrets({ users: [], password: 'word', routes: ['one:6222', 'two:6222', 'three:6222'] })
  const { authorization: _users, ...variables } = z.record(z.string(), z.unknown()).parse(JSON.parse(written))
  expect(variables['ROUTE_2']).toBe('nats://route:word@two:6222')
  const known = [...Object.keys(variables), ...Object.keys(services['nats']?.environment ?? {})]
  expect([...used].toSorted()).toEqual(known.toSorted())
})

test('the sentinels need a majority, and watch the Redis that REDIS_URL names', () => {
  const script = readText(`${folder}/start-sentinel.sh`)
  expect(script).toMatch(/^sentinel monitor shop \$FIRST_PRIMARY 6379 2$/m)
  expect(readText(`${folder}/sentinel.conf`)).toMatch(/^sentinel down-after-milliseconds shop 1500$/m)
  expect(readText('tools/src/compose/configure.ts')).toContain('/0#shop`')
})

test('the documented backup and restore use the primary, and a dump of a standby fails', () => {
  const commands = codeBlocks('docs/operations.md', 'sh compose').flatMap(({ text }) => text.split('\n'))
  const onServer = commands.filter((line) => / (psql|createdb|dropdb|pg_dump|pg_restore) /.test(line))
  expect(onServer.length).toBeGreaterThan(4)
  expect(onServer.filter((line) => !line.includes('docker compose exec -T ${primary:-postgres} '))).toEqual([])
  const [dump] = onServer.filter((line) => line.includes(' pg_dump '))
  // backup-commands.long.ts has one that fails.
  expect(dump).toMatch(/ target_session_attrs=primary' > shop\.dump\.part$/)
})

test('a database of the newer PostgreSQL moves to the older one as SQL, without the setting that it does not know', () => {
  const [, from] = /^postgres:(\d+)-/.exec(composeFile().services['postgres']?.image ?? '') ?? []
  const [, to] = / postgresql-(\d+) /.exec(readText(`${folder}/Dockerfile`)) ?? []
  expect([Number(from), Number(to)]).toEqual([17, 15])
  const blocks = codeBlocks('docs/operations.md', 'sh compose move-from', 'sh compose move-to')
  const commands = blocks.map(({ text }) => text).join('')
  // pg_restore reads no format of a newer pg_dump, and psql reads text.
  expect(commands).not.toMatch(/pg_restore|--format/)
  expect(commands).toMatch(/ pg_dump --username=postgres shop > shop\.sql\n/)
  expect(commands).toMatch(/^ *sed '\/\^SET transaction_timeout = 0;\$\/d' shop\.sql \| .* --set=ON_ERROR_STOP=1$/m)
})

/** A `docker` that records its arguments. It responds as a healthy shop, whose leaders move on request. */
const DOCKER = `#!/bin/sh
echo "$*" >> "$PLACE/calls"
case "$*" in
  'compose ps --quiet '*) seq -f "$4-%g" "$(if grep -q "scale $4=4" "$PLACE/calls"; then echo 4; else echo 2; fi)" ;;
  inspect*'orders-4'*) cat "$PLACE/state" ;;
  inspect*) echo healthy ;;
  *pg_stat_replication*) echo '2|1' ;;
  *pg_is_in_recovery*) if [ "$4" = "$(cat "$PLACE/postgres")" ]; then echo "$4"; fi ;;
  *' switchover '*) echo postgres-3 > "$PLACE/postgres" ;;
  *' failover shop') echo redis > "$PLACE/redis" ;;
  *' role') if [ "$4" = "$(cat "$PLACE/redis")" ]; then echo master; else echo 'slave address 6379 connected 7'; fi ;;
esac
`

describe('the documented upgrade', () => {
  let place: string

  beforeEach(() => {
    place = mkdtempSync(join(tmpdir(), 'storefront-upgrade-'))
    writeFileSync(join(place, 'docker'), DOCKER, { mode: 0o755 })
    // Nothing has to be waited for.
    writeFileSync(join(place, 'sleep'), '#!/bin/sh\n', { mode: 0o755 })
    writeFileSync(join(place, 'postgres'), 'postgres-2')
    writeFileSync(join(place, 'redis'), 'redis-3')
    writeFileSync(join(place, 'state'), 'healthy\n')
  })

  afterEach(() => rmSync(place, { recursive: true, force: true }))

  const calls = () => readFileSync(join(place, 'calls'), 'utf8').trim().split('\n')
  const upgrade = () =>
    spawnSync('bash', ['-euo', 'pipefail'], {
      input: codeBlocks('docs/operations.md', 'sh compose upgrade')
        .map(({ text }) => text)
        .join(''),
      cwd: repository,
      env: { PATH: `${place}${delimiter}${process.env['PATH'] ?? ''}`, PLACE: place },
    })

  test('replaces one server after the other, leaders after the others, and services last', () => {
    expect(upgrade().status).toBe(0)
    const changes = calls()
      .filter((call) => !/^inspect |^rm | ps | psql | role$/.test(call))
      .map((call) => call.replace(/^compose (up --detach --no-deps (--no-recreate --scale \S+=4 )?)?/, ''))
    const rolled = (name: string) => [name, `stop ${name}-1 ${name}-2`]
    expect(changes).toEqual([
      'build',
      'run --rm -T --no-deps configure',
      'kill -s HUP nats nats-2 nats-3',
      ...ETCD,
      'postgres',
      'postgres-3',
      expect.stringMatching(/ patronictl switchover --leader postgres-2 /),
      'postgres-2',
      ...rolled('postgres-primary'),
      ...NATS,
      'redis',
      'redis-2',
      expect.stringMatching(/ -p 26379 .* sentinel failover shop$/),
      'redis-3',
      ...SENTINELS,
      'run --rm -T --no-deps migrate',
      ...[...SERVICE_NAMES.filter((name) => name !== 'gateway'), 'gateway'].flatMap(rolled),
      'up --detach',
    ])
  })

  test('removes new replicas that do not become healthy, and leaves the old ones', () => {
    writeFileSync(join(place, 'state'), 'unhealthy\n')
    expect(upgrade().status).toBe(1)
    expect(calls().at(-1)).toBe('rm --force orders-3 orders-4')
    expect(calls().filter((call) => /^stop .*orders/.test(call))).toEqual([])
  })
})
