import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { SERVICE_NAMES } from '@storefront/contracts'
import { codeBlocks } from '../documents/code-blocks.ts'
import { variablesOf } from '../kubernetes/program-config.ts'
import { readText } from '../repository/source-files.ts'
import { composeFile } from './engine.ts'

const ScrapeConfigs = z.object({
  scrape_configs: z.array(
    z.object({ dns_sd_configs: z.array(z.object({ names: z.array(z.string()), port: z.number() })).optional() }),
  ),
})
const services = Object.entries(composeFile().services)

describe.each(services)('%s', (_name, service) => {
  test('can gain no privileges, cannot write to its image, and has a memory limit', () => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      mem_limit: expect.stringMatching(/^\d+m$/),
    })
  })

  test('needs no shell for its health check', () => {
    const [kind = 'CMD'] = service.healthcheck?.test ?? []
    expect(kind).toBe('CMD')
  })

  test('runs an image with a version', () => {
    expect(service.image).toMatch(/^storefront(-edge)?$|:v?\d+\.\d+|:\d+-alpine$/)
  })
})

test('only the edge, the storefront and the observers publish ports, to this machine only, each observer at its own address', () => {
  const published = services.flatMap(([name, { ports = [] }]) => ports.map((port) => `${name} ${port}`))
  expect(published).toEqual([
    'edge ${PUBLISH_ADDRESS:-127.0.0.1}:${PORT:-8080}:8080',
    'storefront ${PUBLISH_ADDRESS:-127.0.0.1}:${STOREFRONT_PORT:-5173}:8080',
    'observers ${MAIL_ADDRESS:-127.0.0.1}:${MAIL_PORT:-8025}:8025',
    'observers ${PROMETHEUS_ADDRESS:-127.0.0.1}:${PROMETHEUS_PORT:-9090}:9090',
    'observers ${JAEGER_ADDRESS:-127.0.0.1}:${JAEGER_PORT:-16686}:16686',
    'grafana ${GRAFANA_ADDRESS:-127.0.0.1}:${GRAFANA_PORT:-3000}:3000',
  ])
})

test('each page of the observers requires its generated password', () => {
  const { observers, grafana } = composeFile().services
  const published = observers?.ports?.map((port) => port.slice(port.lastIndexOf(':') + 1)) ?? []
  const frontends = readText('deploy/compose/observers.cfg')
    .split(/^(?=frontend )/m)
    .slice(1)
  const guarded = frontends.filter((text) =>
    /^ {4}http-request auth .*unless \{ http_auth\(observers\) \}$/m.test(text),
  )
  expect(published).toHaveLength(3)
  expect(guarded.map((text) => /^ {4}bind :(\d+)$/m.exec(text)?.[1])).toEqual(published)
  // The other frontend serves the health check of the container, and is not published.
  expect(frontends.filter((text) => !guarded.includes(text))).toEqual([expect.stringMatching(/^frontend watch\n/)])
  expect(observers?.command).toEqual(
    expect.arrayContaining(['/etc/haproxy/observers.cfg', '/run/storefront/users.cfg']),
  )
  expect(readText('tools/src/compose/configure.ts')).toContain("writeFor('observers', 'users.cfg'")
  expect(grafana?.environment?.['GF_SECURITY_ADMIN_PASSWORD__FILE']).toBe('/run/storefront/password')
})

test('no container gets the secrets of another', () => {
  const mounts = services.flatMap(([name, { volumes = [] }]) =>
    volumes.filter((volume) => volume.startsWith('secrets')).map((volume) => ({ name, volume: volume.split(':')[0] })),
  )
  const foreign = mounts.filter(({ name, volume }) => name !== 'configure' && volume !== `secrets-${name}`)
  expect(mounts.length).toBeGreaterThan(10)
  expect(foreign).toEqual([])
})

test('the gateway does not reach the database, and the edge reaches nothing but gateways', () => {
  const onNetwork = (network: string) =>
    services.filter(([, { networks }]) => networks?.includes(network)).map(([name]) => name)
  // Prometheus only sends requests on this network.
  expect(onNetwork('front')).toEqual(['gateway', 'edge', 'storefront', 'prometheus'])
  expect(onNetwork('database')).not.toContain('gateway')
  expect(services.find(([name]) => name === 'edge')?.[1].networks).toEqual(['front'])
})

test('the storefront shares a network with the edge and gateways, another with notifier, and none with a server', () => {
  const { storefront, notifier, edge } = composeFile().services
  expect(storefront?.networks).toEqual(['front', 'webhooks'])
  const senders = services.filter(([, { networks }]) => networks?.includes('webhooks')).map(([name]) => name)
  expect(senders).toEqual(['notifier', 'storefront'])
  expect(notifier?.environment?.['STOREFRONT_WEBHOOK_URL']).toBe('${STOREFRONT_WEBHOOK_URL:-http://storefront:8080}')
  expect(storefront?.environment?.['SHOP_URL']).toBe('http://edge:8080${PUBLIC_BASE_PATH:-}')
  expect(edge?.ports).toEqual([expect.stringMatching(/:8080$/)])
})

test('the storefront reads each variable that it gets, and shares its secrets and its address with the shop', async () => {
  const { storefront, gateway, notifier, orders, catalog } = composeFile().services
  const known = await variablesOf('storefront')
  expect(Object.keys(storefront?.environment ?? {}).filter((name) => !known.includes(name))).toEqual([])
  for (const [name, sharing] of [
    ['STOREFRONT_KEY', [gateway]],
    ['STOREFRONT_WEBHOOK_SECRET', [notifier]],
    ['STOREFRONT_URL', [notifier, orders, catalog]],
  ] as const) {
    // Without a value the variable of the operator is passed on, and the file or the default applies without one.
    expect([storefront, ...sharing].map((service) => service?.environment?.[name])).toEqual(
      [storefront, ...sharing].map(() => null),
    )
  }
  expect(readText('tools/src/compose/configure.ts')).toMatch(
    /writeEnvironment\('storefront', \{\s*STOREFRONT_KEY: \S+,\s*STOREFRONT_WEBHOOK_SECRET: \S+,\s*\}\)/,
  )
})

test('the image has the folder of every volume to which configure writes, so that its user may write there', () => {
  const folders = composeFile().services['configure']?.volumes?.map((volume) => volume.split(':')[1]) ?? []
  const [, made = ''] = /mkdir -p ((?:[^\\\n]|\\\n)*)/.exec(readText('Dockerfile')) ?? []
  expect(folders.length).toBeGreaterThan(10)
  expect(folders.filter((folder) => !made.split(/\s+/).includes(folder ?? ''))).toEqual([])
})

test('every server is restarted after a crash; jobs are not', () => {
  const once = services.filter(([, { restart }]) => restart !== 'unless-stopped').map(([name]) => name)
  expect(once).toEqual(['configure', 'migrate', 'seed', 'doctor'])
})

test('Prometheus scrapes every service and the edge at the metrics port', () => {
  const { scrape_configs: jobs } = ScrapeConfigs.parse(parse(readText('deploy/observability/prometheus.yml')))
  const requested = jobs.flatMap(({ dns_sd_configs: found = [] }) =>
    found.flatMap(({ names, port }) => names.map((name) => `${name}:${port}`)),
  )
  expect(requested.toSorted()).toEqual([...SERVICE_NAMES, 'edge'].map((name) => `${name}:9464`).toSorted())
})

test('a service has more time to stop than it needs', () => {
  // STOP_DELAY_MS, and the ten seconds that a service gives to requests in progress.
  for (const name of SERVICE_NAMES) {
    const { stop_grace_period: grace = '', environment } = composeFile().services[name] ?? {}
    const delay = Number(environment?.['STOP_DELAY_MS'])
    expect(delay).toBe(3000)
    expect(Number.parseInt(grace, 10) * 1000).toBeGreaterThan(delay + 10_000)
  }
})

test('the final images have no shell, and check their health without one', () => {
  const stages = readText('Dockerfile').split(/^(?=FROM )/m)
  for (const name of ['runtime', 'edge']) {
    const stage = stages.find((text) => new RegExp(`^FROM \\S+ AS ${name}$`, 'm').test(text)) ?? ''
    const [, afterLast = ''] = stage.split(/find \/usr\/bin -mindepth 1 (?:! -name \w+ )+-delete\n/)
    expect(afterLast).toMatch(/^USER (node|haproxy)$/m)
    expect(afterLast).not.toMatch(/^(RUN|COPY|ADD) /m)
    for (const instruction of ['HEALTHCHECK', 'ENTRYPOINT', 'CMD']) {
      expect(afterLast).toMatch(new RegExp(`^${instruction} .*\\["`, 'm'))
    }
  }
  const kept = [...readText('Dockerfile').matchAll(/! -name (\w+)/g)].map(([, program]) => program)
  expect(new Set(kept)).toEqual(new Set(['node', 'probe', 'cat', 'grep', 'tar']))
})

test('services run in the image with the memory settings of the launcher', () => {
  const command = readText('tools/src/service-command.ts')
  const dockerfile = readText('Dockerfile')
  for (const [name, flag] of [
    ['SEMI_SPACE_MB', '--max-semi-space-size'],
    ['INITIAL_OLD_SPACE_MB', '--initial-old-space-size'],
    ['OLD_SPACE_MB', '--max-old-space-size'],
  ] as const) {
    const [, megabytes] = new RegExp(`const ${name} = (\\d+)`).exec(command) ?? []
    // One command starts a service, the other compiles it beforehand.
    expect([...dockerfile.matchAll(new RegExp(`${flag}=(\\d+)`, 'g'))].map(([, value]) => value)).toEqual([
      megabytes,
      megabytes,
    ])
  }
})

test('every program that keeps running is compiled in the image', () => {
  const programs = services.flatMap(([, { command: [program = ''] = [] }]) =>
    /\/main\.[jt]s$/.test(program) ? [program] : [],
  )
  const [, compiled = ''] = /^RUN for program in ([^;]*);/m.exec(readText('Dockerfile')) ?? []
  const running = programs.filter((program) => !program.startsWith('tools/'))
  expect(compiled.split(/[\s\\]+/).toSorted()).toEqual(running.toSorted())
})

test('documented commands for the observers name profiles, services and files that exist', () => {
  // compose.long.ts runs these commands, but only where their images are available.
  const lines = codeBlocks('docs/operations.md', 'sh compose observability').flatMap(({ text }) =>
    text.trim().split('\n'),
  )
  const profiles = new Set(services.flatMap(([, { profiles: own = [] }]) => own))
  const found = lines.map((line) => {
    const [, profile] = /docker compose --profile (\w+) up --detach$/.exec(line) ?? []
    const [, name, path] = /^docker compose exec -T (\w+) cat (\S+)$/.exec(line) ?? []
    const volumes = services.find(([service]) => service === name)?.[1].volumes ?? []
    const isMounted = volumes.some((volume) => path?.startsWith(`${volume.split(':')[1]}/`))
    return (profile !== undefined && profiles.has(profile)) || isMounted
  })
  expect(found).toEqual([true, true, true])
})
