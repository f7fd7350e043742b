import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { SERVICE_NAMES } from '@storefront/contracts'
import { madeSecrets } from './made-secrets.ts'
import { build, NEEDS_BUILDER, OVERLAYS, partOf, workloadsOf } from './manifests.ts'
import { environmentOf, settingsOf } from './pod-environment.ts'
import { configOf, variablesOf } from './service-config.ts'

/** Read by the chassis, by Node or by the migrate job, and not by the configuration of a service. */
const READ_ELSEWHERE = [
  'METRICS_HOST',
  'METRICS_PORT',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'NATS_REPLICAS',
  'MALLOC_ARENA_MAX',
]
/** Stand in an address, from where the service takes them. */
const IN_ADDRESSES = ['DATABASE_PASSWORD', 'NATS_PASSWORD', 'REDIS_PASSWORD']

const bucket = { MEDIA_S3_ACCESS_KEY_ID: 'key', MEDIA_S3_SECRET_ACCESS_KEY: 'secret' }
const payments = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' }
const mail = { SMTP_URL: 'smtps://shop:pass@mail.example.com:465' }
const secrets = madeSecrets({ ...bucket, ...payments, ...mail })

describe.skipIf(NEEDS_BUILDER).each(OVERLAYS)(`the overlay %s${NEEDS_BUILDER}`, (overlay) => {
  const manifests = build(overlay)
  const workloads = workloadsOf(manifests)
  const containerOf = (part: string) => {
    const container = workloads.find((workload) => partOf(workload) === part)?.spec.template.spec.containers[0]
    if (!container) throw new Error(`no ${part} in ${overlay}`)
    return container
  }

  test.each(SERVICE_NAMES)('%s starts with what its pod is given', async (service) => {
    const environment = environmentOf(containerOf(service), manifests, secrets)
    const { error } = (await configOf(service)).safeParse(environment)
    expect(error?.issues).toBeUndefined()
    expect(environment).toMatchObject({ HOST: '0.0.0.0', PORT: '8080', METRICS_PORT: '9464' })
  })

  test.each(SERVICE_NAMES)('%s starts without the secrets that are optional', async (service) => {
    const environment = environmentOf(containerOf(service), manifests, madeSecrets(bucket))
    expect((await configOf(service)).safeParse(environment).success).toBe(true)
  })

  test.each(SERVICE_NAMES)('%s is given no variable that it does not read', async (service) => {
    const read = [...(await variablesOf(service)), ...READ_ELSEWHERE]
    const { env } = containerOf(service)
    const addresses = env.map(({ value = '' }) => value).join(' ')
    const unread = env.filter(({ name }) =>
      IN_ADDRESSES.includes(name) ? !addresses.includes(`$(${name})`) : !read.includes(name),
    )
    expect(unread).toEqual([])
  })

  test.each(SERVICE_NAMES)('%s has its own secrets and those it shares by its nature', (service) => {
    const names = containerOf(service).env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef?.name ?? [])
    const others = SERVICE_NAMES.filter((name) => name !== service).map((name) => `storefront-${name}`)
    expect(names.filter((name) => [...others, 'storefront-migrate', 'postgres-superuser'].includes(name))).toEqual([])
  })

  test('only the gateway can say who is asking', () => {
    const holders = workloads.filter(({ spec }) => JSON.stringify(spec).includes('ACTOR_PRIVATE_KEY'))
    expect(holders.map(partOf)).toEqual(['gateway'])
  })

  test('every setting is read by somebody', async () => {
    const read = new Set([...(await Promise.all(SERVICE_NAMES.map(variablesOf))).flat(), ...READ_ELSEWHERE])
    const [settings] = containerOf('gateway').envFrom
    const names = Object.keys(settingsOf(manifests, settings?.configMapRef.name ?? ''))
    expect(names.length).toBeGreaterThan(8)
    expect(names.filter((name) => !read.has(name))).toEqual([])
  })

  test('no setting is what a Secret is for', () => {
    const text = JSON.stringify(manifests.filter(({ kind }) => kind === 'ConfigMap'))
    expect(text.match(/"\w*(?:PASSWORD|SECRET|PRIVATE|API_KEY)\w*":/g)).toBeNull()
  })

  test.each(['migrate', 'nats'])('%s has the passwords of all', (part) => {
    const environment = environmentOf(containerOf(part), manifests, secrets)
    const own = Object.entries(environment).filter(([name]) => /_(DATABASE|NATS)_PASSWORD$/.test(name))
    expect(own.length).toBe(part === 'nats' ? SERVICE_NAMES.length + 1 : SERVICE_NAMES.length - 1)
    expect(new Set(own.map(([, value]) => value)).size).toBe(own.length)
  })
})

describe('create-secrets.sh', () => {
  test('makes a pair of keys that belong together', () => {
    const { ACTOR_PRIVATE_KEY = '', ACTOR_PUBLIC_KEY = '' } = secrets['storefront-actor'] ?? {}
    const der = (text: string) => Buffer.from(text, 'base64url')
    const signature = sign(
      null,
      Buffer.from('actor'),
      createPrivateKey({ key: der(ACTOR_PRIVATE_KEY), format: 'der', type: 'pkcs8' }),
    )
    const publicKey = createPublicKey({ key: der(ACTOR_PUBLIC_KEY), format: 'der', type: 'spki' })
    expect(verify(null, Buffer.from('actor'), publicKey, signature)).toBe(true)
  })

  test('gives every password once', () => {
    const passwords = Object.values(secrets).flatMap((secret) =>
      Object.entries(secret).flatMap(([name, value]) => (/PASSWORD$/i.test(name) ? [value] : [])),
    )
    expect(passwords.length).toBeGreaterThan(12)
    expect(new Set(passwords).size).toBe(passwords.length)
    // NATS takes a variable that looks like a number for one.
    expect(passwords.filter((password) => !/^s[0-9a-f]{48}$/.test(password))).toEqual([])
  })

  test('leaves alone what is there', () => {
    expect(madeSecrets({ ADMIN_PASSWORD: 'first of two runs' }, 2)['storefront-identity']).toMatchObject({
      ADMIN_PASSWORD: 'first of two runs',
    })
  })
})
