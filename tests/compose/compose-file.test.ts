import { describe, expect, test } from 'vitest'
import { readText } from '../repository/source-files.ts'
import { composeFile } from './engine.ts'

const services = Object.entries(composeFile().services)

describe.each(services)('%s', (_name, service) => {
  test('can gain no rights, write nothing to its image, and not fill the memory', () => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      mem_limit: expect.stringMatching(/^\d+m$/),
    })
  })

  test('runs an image with a version', () => {
    expect(service.image).toMatch(/^storefront(-edge)?$|:v?\d+\.\d+|:\d+-alpine$/)
  })
})

test('only the edge, the mail page and the two observers can be reached from outside, and only from this machine', () => {
  const published = services.flatMap(([name, { ports = [] }]) => ports.map((port) => `${name} ${port}`))
  expect(published).toEqual([
    'mailpit ${PUBLISH_ADDRESS:-127.0.0.1}:${MAIL_PORT:-8025}:8025',
    'edge ${PUBLISH_ADDRESS:-127.0.0.1}:${PORT:-8080}:8080',
    'prometheus ${PUBLISH_ADDRESS:-127.0.0.1}:${PROMETHEUS_PORT:-9090}:9090',
    'grafana ${PUBLISH_ADDRESS:-127.0.0.1}:${GRAFANA_PORT:-3000}:3000',
  ])
})

test('nobody is given secrets of anybody else', () => {
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
  expect(onNetwork('front')).toEqual(['gateway', 'edge'])
  expect(onNetwork('database')).not.toContain('gateway')
  expect(services.find(([name]) => name === 'edge')?.[1].networks).toEqual(['front'])
})

test('whatever serves is started again when it dies; jobs are not', () => {
  const once = services.filter(([, { restart }]) => restart !== 'unless-stopped').map(([name]) => name)
  expect(once).toEqual(['configure', 'migrate', 'seed'])
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
    // In the command that starts a service, and in the one that compiles it beforehand.
    expect([...dockerfile.matchAll(new RegExp(`${flag}=(\\d+)`, 'g'))].map(([, value]) => value)).toEqual([
      megabytes,
      megabytes,
    ])
  }
})
