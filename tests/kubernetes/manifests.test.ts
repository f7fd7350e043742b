import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { SERVICE_NAMES } from '@storefront/contracts'
import { parse } from 'yaml'
import { z } from 'zod'
import {
  build,
  buildWith,
  folder,
  Manifest,
  NEEDS_BUILDER,
  OVERLAYS,
  partOf,
  repository,
  sourceFiles,
  workloadsOf,
} from './manifests.ts'
import { PROGRAMS } from './program-config.ts'
import { faultsOf, WITHOUT_SCHEMA } from './schemas.ts'

const Mapping = z.record(z.string(), z.unknown())
type Mapping = z.output<typeof Mapping>
const Selector = z.looseObject({ selector: z.object({ matchLabels: z.record(z.string(), z.string()) }) })

test.each(sourceFiles())('$path is valid for Kubernetes', async ({ manifests }) => {
  expect(manifests.length).toBeGreaterThan(0)
  expect(await faultsOf(manifests)).toEqual([])
})

/** A mapping with another one on top of it, as kustomize merges a patch: null removes a key, a list is replaced. */
function merged(base: Mapping, over: Mapping): Mapping {
  const changes = Object.entries(over).map(([key, value]): [string, unknown] => {
    const [before, after] = [Mapping.safeParse(base[key]), Mapping.safeParse(value)]
    return [key, before.success && after.success ? merged(before.data, after.data) : value]
  })
  const all = { ...base, ...Object.fromEntries(changes) }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null))
}

test('the component archive is valid for the Cluster, and its restore archives to another folder', async () => {
  const [cluster = {}, archive = {}, restore = {}] = [
    'overlays/production/postgres.yaml',
    'components/archive/patches/postgres.yaml',
    'components/archive/patches/restore.yaml',
  ].map((path) => Mapping.parse(parse(readFileSync(join(folder, path), 'utf8'))))
  const archived = merged(cluster, archive)
  const restored = merged(archived, restore)
  expect(await faultsOf([Manifest.parse(archived), Manifest.parse(restored)])).toEqual([])
  const Spec = z.object({
    spec: z.object({
      bootstrap: z.strictObject({ recovery: z.looseObject({ source: z.string() }) }),
      externalClusters: z.tuple([
        z.object({ name: z.string(), barmanObjectStore: z.looseObject({ serverName: z.string() }) }),
      ]),
      backup: z.looseObject({ barmanObjectStore: z.looseObject({ serverName: z.string() }) }),
    }),
  })
  const { bootstrap, externalClusters, backup } = Spec.parse(restored).spec
  const [{ name, barmanObjectStore: source }] = externalClusters
  expect(bootstrap.recovery.source).toBe(name)
  expect(source.serverName).toBe(Manifest.parse(cluster).metadata.name)
  expect(backup.barmanObjectStore.serverName).not.toBe(source.serverName)
  const { serverName: _from, ...place } = source
  const { serverName: _to, ...target } = backup.barmanObjectStore
  expect(target).toMatchObject(place)
})

test('no file holds a Secret', () => {
  expect(sourceFiles().filter(({ manifests }) => manifests.some(({ kind }) => kind === 'Secret'))).toEqual([])
})

describe.skipIf(NEEDS_BUILDER).each(OVERLAYS)(`the overlay %s${NEEDS_BUILDER}`, (overlay) => {
  const manifests = build(overlay)
  const workloads = workloadsOf(manifests)
  const containers = workloads.flatMap((workload) =>
    workload.spec.template.spec.containers.map((container) => ({ workload, container })),
  )
  const programs = workloads.filter((workload) => PROGRAMS.some((name) => name === partOf(workload)))
  const ofKind = (kind: string) => manifests.filter((manifest) => manifest.kind === kind)
  const selected = (labels: Record<string, string>) =>
    workloads.filter(({ spec }) =>
      Object.entries(labels).every(([key, value]) => spec.template.metadata.labels[key] === value),
    )

  test('is valid for Kubernetes and the operators', async () => {
    expect(await faultsOf(manifests)).toEqual([])
  })

  test('has every service, the storefront and the migrate job', () => {
    expect(programs.map(partOf).toSorted()).toEqual([...PROGRAMS].toSorted())
    expect(ofKind('Job').map(({ metadata }) => metadata.name)).toEqual(['migrate'])
  })

  test('uses one namespace', () => {
    const places = manifests.filter(({ kind }) => kind !== 'Namespace').map(({ metadata }) => metadata.namespace)
    expect(new Set(places)).toEqual(new Set(['storefront']))
  })

  test('names the version of each image', () => {
    const images = containers.map(({ container }) => container.image)
    expect(images.filter((image) => !/:[^:/]+$/.test(image) || image.endsWith(':latest'))).toEqual([])
  })

  test.each(workloads.map((workload) => [workload.metadata.name, workload] as const))(
    '%s has no privileges on its node or in the cluster',
    (_name, { spec }) => {
      expect(spec.template.spec).toMatchObject({
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      })
      expect(spec.template.spec.serviceAccountName).not.toBe('default')
      for (const container of spec.template.spec.containers) {
        expect(container).toMatchObject({
          securityContext: {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          },
        })
        expect(Object.keys(container.resources.requests)).toEqual(['cpu', 'memory'])
        expect(Object.keys(container.resources.limits)).toEqual(['cpu', 'memory'])
      }
    },
  )

  test('every workload has a service account of its own', () => {
    const accounts = workloads.map(({ spec }) => spec.template.spec.serviceAccountName)
    expect(new Set(accounts).size).toBe(accounts.length)
    const names = ofKind('ServiceAccount').map(({ metadata }) => metadata.name)
    expect(accounts.toSorted()).toEqual(names.toSorted())
  })

  test('every long-running container has startup, readiness and liveness probes', () => {
    for (const { workload, container } of containers.filter(({ workload }) => workload.kind !== 'Job')) {
      for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe']) {
        expect(container, `${workload.metadata.name} ${probe}`).toHaveProperty(probe)
      }
    }
  })

  test.each(programs.map((workload) => [partOf(workload), workload] as const))(
    '%s is rolled out without a gap: a new replica starts first, and a stopping one gets no request',
    (name, { spec }) => {
      const [container] = spec.template.spec.containers
      const { preStop } = z
        .looseObject({ preStop: z.object({ sleep: z.object({ seconds: z.number() }) }) })
        .parse(container?.['lifecycle'])
      // A service (packages/service/src/lifecycle.ts) and the storefront give requests in progress ten seconds.
      expect(spec.template.spec['terminationGracePeriodSeconds']).toBeGreaterThan(preStop.sleep.seconds + 10)
      // Without a bucket the pictures are on a volume, which one pod at a time can mount.
      const isAlone = name === 'catalog' && overlay === 'development'
      expect(spec['strategy']).toMatchObject(isAlone ? { type: 'Recreate' } : { rollingUpdate: { maxUnavailable: 0 } })
      const readiness = name === 'gateway' ? '/readyz/gateway' : '/readyz'
      expect(container).toMatchObject({ readinessProbe: { httpGet: { path: readiness } } })
      expect(container).toMatchObject({ livenessProbe: { httpGet: { path: '/healthz' } } })
    },
  )

  test('every Service targets ports that a workload has', () => {
    const Service = z.looseObject({
      selector: z.record(z.string(), z.string()),
      ports: z.array(z.looseObject({ targetPort: z.string() })),
    })
    for (const { metadata, ...rest } of ofKind('Service')) {
      const { selector, ports } = Service.parse(rest['spec'])
      const [target, ...others] = selected(selector)
      expect(others).toEqual([])
      const names = target?.spec.template.spec.containers.flatMap((container) =>
        container.ports.map(({ name }) => name),
      )
      expect(names, metadata.name).toEqual(expect.arrayContaining(ports.map(({ targetPort }) => targetPort)))
    }
  })

  test('the gateway finds every replica of a service by its name', () => {
    const headless = ofKind('Service').filter(({ metadata }) =>
      SERVICE_NAMES.some((name) => name === metadata.name && name !== 'gateway'),
    )
    expect(headless).toHaveLength(SERVICE_NAMES.length - 1)
    for (const service of headless) expect(service).toMatchObject({ spec: { clusterIP: 'None' } })
  })

  test('selectors of workloads match their own pods only', () => {
    for (const workload of workloads.filter(({ kind }) => kind !== 'Job')) {
      const { matchLabels } = Selector.parse(workload.spec).selector
      expect(selected(matchLabels).map(({ metadata }) => metadata.name)).toEqual([workload.metadata.name])
    }
  })

  test('every disruption budget lets exactly one pod be evicted', () => {
    const Budget = z.looseObject({ minAvailable: z.number().optional(), maxUnavailable: z.number().optional() })
    const budgets = ofKind('PodDisruptionBudget').map(({ metadata, ...rest }) => {
      const selectedWorkloads = selected(Selector.parse(rest['spec']).selector.matchLabels)
      const { minAvailable, maxUnavailable } = Budget.parse(rest['spec'])
      return {
        name: metadata.name,
        workloads: selectedWorkloads.map((workload) => workload.metadata.name),
        evictable: maxUnavailable ?? (selectedWorkloads[0]?.spec.replicas ?? 1) - (minAvailable ?? 0),
      }
    })
    expect(budgets).toEqual(budgets.map(({ name }) => ({ name, workloads: [name], evictable: 1 })))
  })

  test('every autoscaler targets a workload without a replica count of its own', () => {
    const Scaler = z.looseObject({
      scaleTargetRef: z.object({ apiVersion: z.string(), kind: z.string(), name: z.string() }),
      minReplicas: z.number().min(2),
      metrics: z.array(z.looseObject({ containerResource: z.looseObject({ container: z.string() }) })),
    })
    const scaled = ofKind('HorizontalPodAutoscaler').map((scaler) => {
      const { scaleTargetRef, metrics } = Scaler.parse(scaler['spec'])
      const target = workloads.find(
        ({ kind, metadata }) => kind === scaleTargetRef.kind && metadata.name === scaleTargetRef.name,
      )
      const measured = metrics.map(({ containerResource }) => containerResource.container)
      return { measured, replicas: target?.spec.replicas, containers: containersOf(target) }
    })
    expect(scaled).toEqual(scaled.map(({ measured }) => ({ measured, replicas: undefined, containers: measured })))

    function containersOf(workload: (typeof workloads)[number] | undefined): string[] | undefined {
      return workload?.spec.template.spec.containers.map(({ name }) => name)
    }
  })
})

describe.skipIf(NEEDS_BUILDER).each(['production', 'high-availability'] as const)(`%s${NEEDS_BUILDER}`, (overlay) => {
  const manifests = build(overlay)
  const named = (kind: string) =>
    manifests.filter((manifest) => manifest.kind === kind).map(({ metadata }) => metadata.name)

  test('has at least two replicas of every workload', () => {
    const scaled = named('HorizontalPodAutoscaler')
    expect(scaled.toSorted()).toEqual(['cart', 'gateway', 'storefront'])
    const alone = workloadsOf(manifests).filter(
      ({ kind, metadata, spec }) => kind !== 'Job' && !scaled.includes(metadata.name) && (spec.replicas ?? 1) < 2,
    )
    expect(alone).toEqual([])
  })

  test('has a disruption budget for every workload', () => {
    const workloads = workloadsOf(manifests).filter(({ kind }) => kind !== 'Job')
    expect(named('PodDisruptionBudget').toSorted()).toEqual(workloads.map(({ metadata }) => metadata.name).toSorted())
  })

  test('exposes only the gateway and the storefront, each at the host of its address', () => {
    const Ingress = z.object({ spec: z.object({ rules: z.array(z.looseObject({ host: z.string() })) }) })
    const exposed = manifests
      .filter(({ kind }) => kind === 'Ingress')
      .flatMap((ingress) => Ingress.parse(ingress).spec.rules)
      .map((rule) => [rule.host, JSON.stringify(rule).match(/"service":\{"name":"\w+"/g)])
    expect(exposed).toEqual([
      ['shop.example.com', ['"service":{"name":"gateway"']],
      ['www.example.com', ['"service":{"name":"storefront"']],
    ])
    const settings = readFileSync(join(folder, 'overlays/production/settings.env'), 'utf8')
    expect(settings).toMatch(/^PUBLIC_URL=https:\/\/shop\.example\.com$/m)
    expect(settings).toMatch(/^STOREFRONT_URL=https:\/\/www\.example\.com$/m)
    const types = manifests.filter(({ kind }) => kind === 'Service').map((service) => JSON.stringify(service['spec']))
    expect(types.filter((spec) => /NodePort|LoadBalancer|externalIPs/.test(spec))).toEqual([])
  })

  test('leaves servers to operators, of which only that of Redis publishes no schema', () => {
    const foreign = manifests.filter(({ apiVersion }) => WITHOUT_SCHEMA.includes(apiVersion)).map(({ kind }) => kind)
    expect(foreign.toSorted()).toEqual(['RedisReplication', 'RedisSentinel'])
    expect(named('Cluster')).toEqual(['postgres'])
  })

  test('NATS has as many routes and stream replicas as servers', () => {
    const [nats] = workloadsOf(manifests).filter(({ metadata }) => metadata.name === 'nats')
    const configuration = readFileSync(join(folder, 'overlays/production/nats.conf'), 'utf8')
    expect(configuration.match(/nats:\/\/nats-\d\.nats:6222/g)).toHaveLength(nats?.spec.replicas ?? 0)
    expect(readFileSync(join(folder, 'overlays/production/settings.env'), 'utf8')).toContain(
      `NATS_REPLICAS=${nats?.spec.replicas}\n`,
    )
  })

  test('NATS leaves a silent client or server as soon as in deploy/high-availability', () => {
    const pings = (path: string) => readFileSync(join(folder, path), 'utf8').match(/^ping_(?:interval|max): .*$/gm)
    expect(pings('overlays/production/nats.conf')).toHaveLength(2)
    expect(pings('overlays/production/nats.conf')).toEqual(pings('../high-availability/nats.conf'))
  })
})

describe.skipIf(NEEDS_BUILDER)(`high-availability${NEEDS_BUILDER}`, () => {
  const manifests = build('high-availability')
  const deployments = workloadsOf(manifests).filter(({ kind }) => kind === 'Deployment')
  const resource = (kind: string) => manifests.find((manifest) => manifest.kind === kind)
  const HOSTS = 'kubernetes.io/hostname'

  test('spreads the replicas of a program over the nodes that take pods, and starts those of a node elsewhere within half a minute of the notice of its loss', () => {
    expect(deployments.map(partOf).toSorted()).toEqual([...PROGRAMS].toSorted())
    const Placement = z.looseObject({
      topologySpreadConstraints: z.array(z.looseObject({ topologyKey: z.string(), whenUnsatisfiable: z.string() })),
      tolerations: z.array(z.object({ key: z.string(), tolerationSeconds: z.number().max(30) }).loose()),
    })
    for (const { spec, metadata } of deployments) {
      const { topologySpreadConstraints, tolerations } = Placement.parse(spec.template.spec)
      const byHost = topologySpreadConstraints.filter(({ topologyKey }) => topologyKey === HOSTS)
      expect(byHost, metadata.name).toMatchObject([
        { maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule', nodeTaintsPolicy: 'Honor' },
      ])
      expect(tolerations.map(({ key }) => key)).toEqual(
        ['not-ready', 'unreachable'].map((state) => `node.kubernetes.io/${state}`),
      )
    }
  })

  test.each(['RedisReplication', 'RedisSentinel'])(
    '%s is on three nodes, of which one is drained at a time',
    (kind) => {
      const part = kind === 'RedisSentinel' ? 'redis-sentinel' : 'redis'
      const term = { topologyKey: HOSTS, labelSelector: { matchLabels: { 'storefront/part': part } } }
      expect(resource(kind)).toMatchObject({
        metadata: { labels: { 'storefront/part': part } },
        spec: {
          clusterSize: 3,
          pdb: { enabled: true, maxUnavailable: 1 },
          affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } },
        },
      })
    },
  )

  test('PostgreSQL has two standbys on other nodes, one of which has every acknowledged commit', () => {
    expect(resource('Cluster')).toMatchObject({
      spec: {
        instances: 3,
        postgresql: { synchronous: { method: 'any', number: 1, dataDurability: 'required' } },
        affinity: { topologyKey: HOSTS, podAntiAffinityType: 'required' },
        primaryUpdateMethod: 'switchover',
      },
    })
  })

  test('a client of PostgreSQL on a lost node keeps its locks no longer than in deploy/high-availability', () => {
    const patroni = readFileSync(join(folder, '../high-availability/patroni.yml'), 'utf8')
    const found = patroni.matchAll(/^ +(?<name>tcp_\w+): (?<value>\w+)$/gm)
    const limits = [...found].map(({ groups = {} }): [string, unknown] => [groups['name'] ?? '', groups['value']])
    expect(limits).toHaveLength(4)
    expect(resource('Cluster')).toMatchObject({ spec: { postgresql: { parameters: Object.fromEntries(limits) } } })
  })

  test('programs find Redis by each of the sentinels, under the name by which these know the primary', () => {
    const Sentinel = z.looseObject({
      clusterSize: z.number(),
      redisSentinelConfig: z.looseObject({ masterGroupName: z.string() }),
    })
    const { clusterSize, redisSentinelConfig } = Sentinel.parse(resource('RedisSentinel')?.['spec'])
    const sentinels = Array.from(
      { length: clusterSize },
      (_, index) => `redis-sentinel-${index}.redis-sentinel-headless:26379`,
    )
    const addresses = deployments.flatMap(({ spec }) =>
      spec.template.spec.containers.flatMap(({ env }) => env.filter(({ name }) => name === 'REDIS_URL')),
    )
    expect(addresses.map(({ value }) => value)).toEqual(
      ['cart', 'catalog', 'gateway', 'identity'].map(
        () => `redis-sentinel://:$(REDIS_PASSWORD)@${sentinels.join(',')}/0#${redisSentinelConfig.masterGroupName}`,
      ),
    )
  })
})

describe.skipIf(NEEDS_BUILDER)(`the component nats-chart${NEEDS_BUILDER}`, () => {
  const Values = z.looseObject({
    config: z.looseObject({ merge: z.looseObject({ $include: z.string() }) }),
    container: z.looseObject({
      env: z.record(
        z.string(),
        z.object({ valueFrom: z.object({ secretKeyRef: z.object({ name: z.string(), key: z.string() }) }) }),
      ),
    }),
  })
  const read = (path: string) => readFileSync(join(folder, path), 'utf8')
  const text = read('components/nats-chart/values.yaml')
  const values = Values.parse(parse(text))
  const manifests = build('high-availability')
  const [nats] = workloadsOf(manifests).filter(({ metadata }) => metadata.name === 'nats')
  const pod = nats?.spec.template
  const [container] = pod?.spec.containers ?? []
  /** A setting of our servers, without quotes. */
  const setting = (name: string) =>
    new RegExp(`^ *${name}: "?([^"\\n]+)"?$`, 'm').exec(read('overlays/production/nats.conf'))?.[1]

  test('leaves out our NATS, and lets Prometheus reach the exporter of the chart', async () => {
    const added = buildWith('nats-chart', 'high-availability')
    expect(await faultsOf(added)).toEqual([])
    const names = (all: readonly Manifest[]) =>
      all.map(({ kind, metadata }) => `${kind} ${metadata.name.replace(/^nats-[a-z0-9]{10}$/, 'nats')}`)
    const [before, after] = [names(manifests), names(added)]
    expect(before.filter((name) => !after.includes(name)).toSorted()).toEqual(
      ['ConfigMap', 'Service', 'ServiceAccount', 'StatefulSet'].map((kind) => `${kind} nats`),
    )
    expect(after.filter((name) => !before.includes(name))).toEqual(['NetworkPolicy nats-exporter'])
    expect(added.find(({ metadata }) => metadata.name === 'nats-exporter')).toMatchObject({
      spec: { podSelector: { matchLabels: { 'storefront/part': 'nats' } }, ingress: [{ ports: [{ port: 7777 }] }] },
    })
    // The alerts read jetstream_…, and -prefix=nats would rename it.
    const args = ['-port=7777', '-varz', '-jsz=all', 'http://localhost:8222/']
    expect(values).toMatchObject({ promExporter: { enabled: true, port: 7777, merge: { args } } })
  })

  test('has the number of servers, ports, storage and timeouts of our NATS', () => {
    const Claim = z.object({
      metadata: z.object({ name: z.string() }),
      spec: z.looseObject({ resources: z.object({ requests: z.object({ storage: z.string() }) }) }),
    })
    const [claim] = z.tuple([Claim]).parse(nats?.spec['volumeClaimTemplates'])
    const ports = new Map(container?.ports.map(({ name, containerPort }) => [name, containerPort]))
    const pvc = { name: claim.metadata.name, size: claim.spec.resources.requests.storage }
    expect(values).toMatchObject({
      fullnameOverride: nats?.metadata.name,
      headlessService: { name: nats?.spec['serviceName'] },
      config: {
        nats: { port: ports.get('client') },
        monitor: { port: ports.get('monitor') },
        cluster: {
          enabled: true,
          port: ports.get('cluster'),
          replicas: nats?.spec.replicas,
          merge: { name: setting('name') },
        },
        jetstream: {
          enabled: true,
          fileStore: { dir: setting('store_dir'), maxSize: setting('max_file_store'), pvc },
          memoryStore: { enabled: true, maxSize: setting('max_memory_store') },
        },
        merge: {
          ping_interval: setting('ping_interval'),
          ping_max: Number(setting('ping_max')),
          lame_duck_grace_period: setting('lame_duck_grace_period'),
          lame_duck_duration: setting('lame_duck_duration'),
        },
      },
    })
  })

  test('has the image, limits, labels and privileges of our NATS, and spreads the servers in the same way', () => {
    const Spread = z.looseObject({ topologyKey: z.string(), maxSkew: z.number(), whenUnsatisfiable: z.string() })
    const [spread] = z.tuple([Spread]).parse(pod?.spec['topologySpreadConstraints'])
    const { topologyKey, maxSkew, whenUnsatisfiable } = spread
    const { 'app.kubernetes.io/name': name, ...labels } = z.record(z.string(), z.string()).parse(pod?.metadata.labels)
    // The chart adds its own name, which is the same.
    expect(name).toBe('nats')
    expect(values).toMatchObject({
      natsBox: { enabled: false },
      container: {
        image: { tag: container?.image.split(':')[1] },
        merge: { securityContext: container?.['securityContext'], resources: container?.resources },
      },
      podTemplate: {
        topologySpreadConstraints: { [topologyKey]: { maxSkew, whenUnsatisfiable } },
        merge: {
          metadata: { labels },
          spec: {
            automountServiceAccountToken: false,
            enableServiceLinks: false,
            terminationGracePeriodSeconds: pod?.spec['terminationGracePeriodSeconds'],
            securityContext: pod?.spec['securityContext'],
          },
        },
      },
    })
  })

  test('has the users of our NATS, with passwords from the same Secrets', () => {
    const ours = container?.env.flatMap(({ name, valueFrom }) => {
      const secret = valueFrom?.secretKeyRef
      return secret === undefined ? [] : [`${name}: ${secret.key} of ${secret.name}`]
    })
    const { env } = values.container
    const theirs = Object.entries(env).map(
      ([name, { valueFrom }]) => `${name}: ${valueFrom.secretKeyRef.key} of ${valueFrom.secretKeyRef.name}`,
    )
    expect(theirs).toEqual(ours)
    expect(text).not.toMatch(/password: /)
    const used = [...read('nats/users.conf').matchAll(/"password": \$(\w+)/g)].map(([, name = '']) => name)
    expect(used.toSorted()).toEqual(Object.keys(env).toSorted())
    const file = values.config.merge.$include
    expect(read('overlays/production/nats.conf')).toContain(`\ninclude "${file}"\n`)
    expect(readFileSync(join(repository, 'docs/operations.md'), 'utf8')).toContain(
      ` --set-file 'configMap.merge.data.${file.replace('.', '\\.')}=deploy/kubernetes/nats/${file}'\n`,
    )
  })
})
