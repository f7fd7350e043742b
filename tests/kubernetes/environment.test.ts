import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { SERVICE_NAMES } from '@storefront/contracts'
import { amount } from '@storefront/tools/testing'
import { madeSecrets } from './made-secrets.ts'
import { build, folder, NEEDS_BUILDER, OVERLAYS, partOf, workloadsOf } from './manifests.ts'
import { environmentOf, settingsOf } from './pod-environment.ts'
import { configOf, PROGRAMS, variablesOf } from './program-config.ts'

/** Each run of create-secrets.sh starts some hundred programs. */
const RUNS_SCRIPT_AGAIN = amount({ quick: false, long: true })
/** Variables that packages/service, Node or the migrate job reads, and not the configuration of a service. */
const READ_ELSEWHERE = [
  'METRICS_HOST',
  'METRICS_PORT',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'NATS_REPLICAS',
  'MALLOC_ARENA_MAX',
]
/** Variables that are used inside an address, which the service reads. */
const IN_ADDRESSES = ['DATABASE_PASSWORD', 'NATS_PASSWORD', 'REDIS_PASSWORD']

const bucket = { MEDIA_S3_ACCESS_KEY_ID: 'key', MEDIA_S3_SECRET_ACCESS_KEY: 'secret' }
const payments = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' }
const mail = { SMTP_URL: 'smtps://shop:pass@mail.example.com:465' }
const backups = { BACKUP_S3_ACCESS_KEY_ID: 'key', BACKUP_S3_SECRET_ACCESS_KEY: 'secret' }
const secrets = madeSecrets({ ...bucket, ...payments, ...mail, ...backups })
const withoutOptional = madeSecrets(bucket)

describe.skipIf(NEEDS_BUILDER).each(OVERLAYS)(`the overlay %s${NEEDS_BUILDER}`, (overlay) => {
  const manifests = build(overlay)
  const workloads = workloadsOf(manifests)
  const containerOf = (part: string) => {
    const container = workloads.find((workload) => partOf(workload) === part)?.spec.template.spec.containers[0]
    if (!container) throw new Error(`no ${part} in ${overlay}`)
    return container
  }

  test.each(PROGRAMS)('%s accepts the environment of its pod', async (program) => {
    const environment = environmentOf(containerOf(program), manifests, secrets)
    const { error } = (await configOf(program)).safeParse(environment)
    expect(error?.issues).toBeUndefined()
    expect(environment).toMatchObject({ HOST: '0.0.0.0', PORT: '8080', METRICS_PORT: '9464' })
  })

  test.each(PROGRAMS)('%s accepts an environment without the optional secrets', async (program) => {
    const environment = environmentOf(containerOf(program), manifests, withoutOptional)
    expect((await configOf(program)).safeParse(environment).success).toBe(true)
  })

  test.each(PROGRAMS)('%s gets no variable that it does not read', async (program) => {
    const read = [...(await variablesOf(program)), ...READ_ELSEWHERE]
    const { env } = containerOf(program)
    const addresses = env.map(({ value = '' }) => value).join(' ')
    const unread = env.filter(({ name }) =>
      IN_ADDRESSES.includes(name) ? !addresses.includes(`$(${name})`) : !read.includes(name),
    )
    expect(unread).toEqual([])
  })

  test.each(SERVICE_NAMES)('%s gets no secret of another service', (service) => {
    const names = containerOf(service).env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef?.name ?? [])
    const others = SERVICE_NAMES.filter((name) => name !== service).map((name) => `storefront-${name}`)
    expect(names.filter((name) => [...others, 'storefront-migrate', 'postgres-superuser'].includes(name))).toEqual([])
  })

  test('the storefront has the secrets that it shares with the gateway and with notifier, and no others', () => {
    const shared = containerOf('storefront').env.filter(({ valueFrom }) => valueFrom?.secretKeyRef !== undefined)
    expect(shared.map(({ name }) => name)).toEqual(['STOREFRONT_KEY', 'STOREFRONT_WEBHOOK_SECRET'])
    const [storefront, gateway, notifier] = ['storefront', 'gateway', 'notifier'].map((part) =>
      environmentOf(containerOf(part), manifests, secrets),
    )
    expect(storefront?.['STOREFRONT_KEY']).toMatch(/^s[0-9a-f]{48}$/)
    expect(storefront?.['STOREFRONT_KEY']).toBe(gateway?.['STOREFRONT_KEY'])
    expect(storefront?.['STOREFRONT_WEBHOOK_SECRET']).toBe(notifier?.['STOREFRONT_WEBHOOK_SECRET'])
  })

  test('the gateway starts without the key of a storefront', () => {
    const { 'storefront-key': _key, ...others } = secrets
    expect(environmentOf(containerOf('gateway'), manifests, others)).not.toHaveProperty('STOREFRONT_KEY')
  })

  test('the storefront and notifier reach each other and the gateway by the names of Services', () => {
    const named = (name: string) =>
      manifests.filter(({ kind, metadata }) => kind === 'Service' && metadata.name === name)
    const { SHOP_URL, STOREFRONT_WEBHOOK_URL } = environmentOf(containerOf('storefront'), manifests, secrets)
    for (const url of [SHOP_URL, STOREFRONT_WEBHOOK_URL]) {
      const { hostname, port } = new URL(url ?? '')
      // No port in the address is port 80.
      expect(named(hostname)).toMatchObject([{ spec: { ports: [{ port: Number(port || 80), targetPort: 'http' }] } }])
    }
  })

  test('only the gateway has the key that signs actors', () => {
    const holders = workloads.filter(({ spec }) => JSON.stringify(spec).includes('ACTOR_PRIVATE_KEY'))
    expect(holders.map(partOf)).toEqual(['gateway'])
  })

  test('every setting is read by a program', async () => {
    const read = new Set([...(await Promise.all(PROGRAMS.map(variablesOf))).flat(), ...READ_ELSEWHERE])
    const [settings] = containerOf('gateway').envFrom
    const names = Object.keys(settingsOf(manifests, settings?.configMapRef.name ?? ''))
    expect(names.length).toBeGreaterThan(8)
    expect(names.filter((name) => !read.has(name))).toEqual([])
  })

  test('no ConfigMap contains a secret', () => {
    const text = JSON.stringify(manifests.filter(({ kind }) => kind === 'ConfigMap'))
    expect(text.match(/"\w*(?:PASSWORD|SECRET|PRIVATE|API_KEY)\w*":/g)).toBeNull()
  })

  test.each(['migrate', 'nats'])('%s has the passwords of all services', (part) => {
    const environment = environmentOf(containerOf(part), manifests, secrets)
    const own = Object.entries(environment).filter(([name]) => /_(DATABASE|NATS)_PASSWORD$/.test(name))
    expect(own.length).toBe(part === 'nats' ? SERVICE_NAMES.length + 1 : SERVICE_NAMES.length - 1)
    expect(new Set(own.map(([, value]) => value)).size).toBe(own.length)
  })
})

describe('create-secrets.sh', () => {
  test('creates a matching key pair', () => {
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

  test('creates the Secret of the component archive from the keys of its bucket, and not without them', () => {
    const patch = readFileSync(join(folder, 'components/archive/patches/postgres.yaml'), 'utf8')
    const read = [...patch.matchAll(/name: postgres-backup\n +key: (\w+)/g)].map(([, key]) => key)
    expect(read).toEqual(['ACCESS_KEY_ID', 'ACCESS_SECRET_KEY'])
    expect(Object.keys(secrets['postgres-backup'] ?? {})).toEqual(read)
    expect(withoutOptional).not.toHaveProperty('postgres-backup')
  })

  test('creates a different password each time', () => {
    const passwords = Object.values(secrets).flatMap((secret) =>
      Object.entries(secret).flatMap(([name, value]) => (/PASSWORD$/i.test(name) ? [value] : [])),
    )
    expect(passwords.length).toBeGreaterThan(12)
    expect(new Set(passwords).size).toBe(passwords.length)
    // NATS parses a variable that looks like a number as a number.
    expect(passwords.filter((password) => !/^s[0-9a-f]{48}$/.test(password))).toEqual([])
  })

  test.runIf(RUNS_SCRIPT_AGAIN)('keeps existing secrets', () => {
    expect(madeSecrets({ ADMIN_PASSWORD: 'first of two runs' }, { times: 2 })['storefront-identity']).toMatchObject({
      ADMIN_PASSWORD: 'first of two runs',
    })
  })

  test.runIf(RUNS_SCRIPT_AGAIN)('keeps the key of a cluster whose Secret has its former name', () => {
    const former = 'SECRETS_KEY=a former key\nSECRETS_KEY_PREVIOUS=the one before\n'
    const { 'storefront-secrets-key': kept } = madeSecrets({}, { existing: { 'storefront-seal': former } })
    expect(kept).toEqual({ SECRETS_KEY: 'a former key', SECRETS_KEY_PREVIOUS: 'the one before' })
    expect(secrets['storefront-secrets-key']?.['SECRETS_KEY']).toMatch(/^s[0-9a-f]{48}$/)
  })
})
