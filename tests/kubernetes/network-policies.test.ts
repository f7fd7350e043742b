import { BlockList } from 'node:net'
import { describe, expect, test } from 'vitest'
import { SERVICE_NAMES } from '@storefront/contracts'
import { isPrivateAddress } from '@storefront/http'
import { allowedConnections, blocksOf, isolatesEveryPod, type Pods } from './connections.ts'
import { build, NEEDS_BUILDER, OVERLAYS, partOf, workloadsOf, type Overlay } from './manifests.ts'
import { PROGRAMS, variablesOf } from './program-config.ts'

/** The targets that a service connects to because it reads the variable. */
const REACHED: Record<string, string[]> = {
  DATABASE_URL: ['postgres:5432'],
  DATABASE_STANDBY_URL: ['postgres:5432'],
  REDIS_URL: ['redis:6379'],
  NATS_URL: ['nats:4222'],
  ...Object.fromEntries(
    SERVICE_NAMES.filter((name) => name !== 'gateway').map((name) => [`${name.toUpperCase()}_URL`, [`${name}:8080`]]),
  ),
  // The addresses of a bucket, of pictures in product CSVs, of webhooks and of mail servers may have any port.
  MEDIA_S3_ENDPOINT: ['internet:any TCP port'],
  PICTURES_TIMEOUT_MS: ['internet:any TCP port'],
  STRIPE_BASE_URL: ['internet:443'],
  SHOP_URL: ['gateway:8080'],
  STOREFRONT_URL: ['internet:any TCP port'],
  STOREFRONT_WEBHOOK_URL: ['storefront:8080'],
  SMTP_URL: ['internet:any TCP port'],
}

/** Inside, at the edges of and beside the blocks that lead to this machine, its network or its cloud. */
const ADDRESSES = (
  '1.1.1.1 0.0.0.1 0.255.255.255 9.255.255.255 10.0.0.0 10.1.2.3 11.0.0.0 100.63.255.255 100.64.0.1 100.127.255.255 ' +
  '100.128.0.1 126.255.255.255 127.0.0.1 128.0.0.1 168.63.129.15 168.63.129.16 168.63.129.17 169.253.255.255 ' +
  '169.254.169.254 169.255.0.1 172.15.255.255 172.16.0.1 172.31.255.255 172.32.0.1 192.0.0.1 192.0.1.1 192.0.2.1 ' +
  '192.88.99.1 192.88.100.1 192.167.255.255 192.168.1.1 192.169.0.1 198.17.255.255 198.18.0.1 198.19.255.255 ' +
  '198.20.0.1 198.51.100.1 198.51.101.1 203.0.113.1 203.0.114.1 223.255.255.255 224.0.0.1 240.0.0.1 255.255.255.255 ' +
  ':: ::1 64:ff9b::a00:1 1fff::1 2001::1 2001:1ff::1 2001:200::1 2001:db8::1 2001:db9::1 2002:a00:1::1 2003::1 ' +
  '2606:4700::1111 3ffe::1 3fff::1 3fff:1000::1 4000::1 fc00::1 fd00:ec2::254 fe80::1 fec0::1 ff02::1'
).split(' ')

const SERVERS_OF_OPERATORS = [
  'namespace cnpg-system → postgres:5432',
  'namespace cnpg-system → postgres:8000',
  'namespace redis-operator → redis:6379',
  'namespace redis-operator → redis-sentinel:26379',
  'nats → nats:6222',
  'postgres → anywhere:443',
  'postgres → anywhere:6443',
  'postgres → postgres:5432',
  'postgres → postgres:8000',
  'redis → redis:6379',
  'redis-sentinel → redis-sentinel:26379',
  'redis-sentinel → redis:6379',
]
/** CloudNativePG passes labels of the shop on to instances, and not to the jobs that create them. */
const PODS_OF_OPERATORS: Pods[] = [
  { part: 'postgres', labels: { 'cnpg.io/cluster': 'postgres' } },
  ...['redis', 'redis-sentinel'].map((part) => ({ part, labels: { 'storefront/part': part } })),
]
const MONITORING = [
  'namespace monitoring prometheus → postgres:9187',
  ...SERVICE_NAMES.flatMap((name) => [
    `namespace monitoring prometheus → ${name}:9464`,
    `${name} → namespace monitoring otel-collector:4318`,
  ]),
]
const OF_OVERLAY: Record<Overlay, string[]> = {
  development: ['notifier → mailpit:1025'],
  production: [...SERVERS_OF_OPERATORS, ...MONITORING],
  'high-availability': [
    ...SERVERS_OF_OPERATORS,
    ...MONITORING,
    ...['gateway', 'catalog', 'cart', 'identity'].map((name) => `${name} → redis-sentinel:26379`),
  ],
}

async function architectureConnections(): Promise<string[]> {
  const programs = await Promise.all(
    PROGRAMS.map(async (program) => {
      const variables = await variablesOf(program)
      // Orders compares addresses with that of the storefront, catalog redirects to it, and the storefront is there:
      // only notifier sends something.
      const connectedTo = variables.filter((name) => name !== 'STOREFRONT_URL' || program === 'notifier')
      return connectedTo.flatMap((name) => REACHED[name] ?? []).map((target) => `${program} → ${target}`)
    }),
  )
  const fromOutside = ['namespace traefik → gateway:8080', 'namespace traefik → storefront:8080']
  return [...fromOutside, ...new Set(programs.flat()), 'migrate → postgres:5432', 'migrate → nats:4222']
}

test('every variable with an address has known targets', async () => {
  const variables = (await Promise.all(PROGRAMS.map(variablesOf))).flat()
  const places = variables.filter((name) => /_(URL|ENDPOINT)$/.test(name) && !(name in REACHED))
  // These are used in links, in pages and in responses, and Razorpay has the same port as Stripe.
  expect(new Set(places)).toEqual(new Set(['PUBLIC_URL', 'ACCOUNT_URL', 'RAZORPAY_BASE_URL', 'RAZORPAY_CHECKOUT_URL']))
})

describe.skipIf(NEEDS_BUILDER).each(OVERLAYS)(`the overlay %s${NEEDS_BUILDER}`, (overlay) => {
  const manifests = build(overlay)
  const pods = workloadsOf(manifests).map((workload) => ({
    part: partOf(workload),
    labels: workload.spec.template.metadata.labels,
  }))
  if (overlay !== 'development') pods.push(...PODS_OF_OPERATORS)

  test('denies all traffic by default', () => {
    expect(isolatesEveryPod(manifests)).toBe(true)
  })

  test('allows the connections of the architecture and no others, at both ends', async () => {
    const expected = [...(await architectureConnections()), ...OF_OVERLAY[overlay]].toSorted()
    const { leaving, arriving } = allowedConnections(manifests, pods)
    expect(leaving).toEqual(expected.filter((connection) => !connection.startsWith('namespace ')))
    const inside = (connection: string) => pods.some(({ part }) => connection.includes(` → ${part}:`))
    expect(arriving).toEqual(expected.filter(inside))
  })

  test.each([
    ['catalog', 8443],
    ['notifier', 8443],
    ['orders', 443],
  ])('%s reaches at port %d the addresses that are public to its code, and no others', (part, port) => {
    const block = new BlockList()
    const allowed = new BlockList()
    const ofPart = pods.filter((each) => each.part === part)
    for (const { cidr, except } of ofPart.flatMap((each) => blocksOf(manifests, each, port))) {
      add(allowed, cidr)
      for (const one of except) add(block, one)
    }
    const reached = ADDRESSES.filter((address) => {
      const family = address.includes(':') ? 'ipv6' : 'ipv4'
      return allowed.check(address, family) && !block.check(address, family)
    })
    expect(reached).toEqual(ADDRESSES.filter((address) => !isPrivateAddress(address)))
    expect(reached).toContain('1.1.1.1')
    expect(reached).not.toContain('169.254.169.254')
  })
})

function add(list: BlockList, cidr: string): void {
  const [address = '', length] = cidr.split('/')
  list.addSubnet(address, Number(length), address.includes(':') ? 'ipv6' : 'ipv4')
}
