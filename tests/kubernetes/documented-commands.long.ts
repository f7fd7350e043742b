import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { codeBlocks } from '../documents/code-blocks.ts'
import { DOCUMENTS, readText, repository } from '../repository/source-files.ts'
import { LITTLE_COLLECTION } from '../support/little-collection.ts'
import { build, NEEDS_BUILDER, workloadsOf, type Manifest, type Overlay } from './manifests.ts'

/**
 * Runs the commands with programs that only record their arguments, so that no cluster is needed. This proves paths,
 * names and options, but not that a cluster accepts the manifests or that pods become ready.
 */
const STUB = `#!/bin/sh
{ printf '%s' "$(basename "$0")"; printf '\\t%s' "$@"; echo; } >> "$CALLS"
case " $* " in
  *' get secret '*' -o '*) ;;
  *' get secret '*) exit 1 ;;
  *' --from-env-file=/dev/stdin '*) cat > /dev/null ;;
esac
`
const OVERLAYS: readonly Overlay[] = ['development', 'production']
const Service = z.object({ spec: z.object({ ports: z.array(z.object({ port: z.number() })) }) })

const blocks = DOCUMENTS.flatMap((document) => codeBlocks(document, 'sh kubernetes')).map(({ text }) => text)
const inText = DOCUMENTS.flatMap((document) => [...readText(document).matchAll(/`(kubectl --namespace [^`]+)`/g)])

let place: string
let calls: string[][]
let manifests: Manifest[]

beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), 'storefront-kubectl-'))
  const log = join(place, 'calls')
  for (const program of ['kubectl', 'docker', 'kind', 'helm']) {
    writeFileSync(join(place, program), STUB)
    chmodSync(join(place, program), 0o755)
  }
  execFileSync('bash', ['-euo', 'pipefail'], {
    cwd: repository,
    input: [...blocks, ...inText.map(([, command]) => `${command}\n`)].join(''),
    env: { CALLS: log, PATH: `${place}${delimiter}${process.env['PATH'] ?? ''}` },
  })
  const noted = readFileSync(log, 'utf8').trimEnd().split('\n')
  calls = noted.map((line) => line.split('\t'))
  manifests = OVERLAYS.flatMap((overlay) => build(overlay))
})

afterAll(() => rmSync(place, { recursive: true, force: true }))

const callsOf = (...begin: string[]) =>
  calls.filter((call) => begin.every((word, index) => call[index] === word)).map((call) => call.slice(begin.length))

describe.skipIf(NEEDS_BUILDER !== '')(`commands for a cluster${NEEDS_BUILDER}`, () => {
  test('both overlays are applied and exist', () => {
    const applied = callsOf('kubectl', 'apply')
    for (const overlay of OVERLAYS) expect(applied).toContainEqual(['-k', `deploy/kubernetes/overlays/${overlay}`])
    const folders = applied.map(([, folder = '']) => readText(join(folder, 'kustomization.yaml')))
    expect(folders.filter((text) => text === '')).toEqual([])
  })

  test('kubectl parses each of them: its only error is the missing cluster', () => {
    const isSecret = (word: string) => word.startsWith('storefront-') || word === 'postgres-superuser'
    const different = new Map(
      callsOf('kubectl').map((words) => [words.filter((word) => !isSecret(word)).join(' '), words]),
    )
    expect(different.size).toBeGreaterThan(8)
    const errors = [...different.values()].map((words) => {
      const env = { PATH: process.env['PATH'], HOME: place, ...LITTLE_COLLECTION }
      // The input comes from a pipe of the shell, because /dev/stdin cannot be opened when it is a socket of Node.
      const script = 'echo A=b | kubectl --server=http://127.0.0.1:9 "$@"'
      const { stderr } = spawnSync('bash', ['-c', script, 'bash', ...words], { cwd: repository, env, encoding: 'utf8' })
      return /refused/.test(stderr) ? '' : `${words.join(' ')}: ${stderr}`
    })
    expect(errors.filter((error) => error !== '')).toEqual([])
  })

  test('they name resources of the manifests, in their namespace', () => {
    const known = manifests.map(({ kind, metadata }) => `${kind.toLowerCase()}/${metadata.name}`)
    const named = calls.flat().filter((word) => /^[a-z]+\/[a-z-]+$/.test(word))
    expect(named).toEqual(expect.arrayContaining(['job/migrate', 'deployment/gateway', 'service/gateway']))
    expect(named.filter((name) => !known.includes(name))).toEqual([])
    const deleted = calls.flatMap((call) => (call[3] === 'delete' ? [`${call[4]}/${call[5]}`] : []))
    expect(deleted).toEqual(['job/migrate'])
    const secrets = calls.flatMap((call) => (call[3] === 'create' ? [call[6]] : []))
    const read = calls.flatMap((call) => (call[3] === 'get' && call[4] === 'secret' ? [call[5]] : []))
    expect(secrets.length).toBeGreaterThan(5)
    // A cluster of an earlier version may have this one, whose key is kept.
    const readable = [...secrets, 'storefront-seal']
    expect(read.filter((secret) => !readable.includes(secret))).toEqual([])
    const namespaces = new Set(callsOf('kubectl', '--namespace').map(([namespace]) => namespace))
    expect([...namespaces]).toEqual(callsOf('kubectl', 'create', 'namespace').flat())
    expect(known).toContain(`namespace/${[...namespaces].join()}`)
  })

  test('the chart of NATS reads files of this repository', () => {
    const [words = []] = callsOf('helm', 'upgrade')
    const files = words.flatMap((word) => /(?:^|=)(deploy\/.+)$/.exec(word)?.[1] ?? [])
    expect(files).toHaveLength(2)
    for (const file of files) expect(readText(file)).not.toBe('')
  })

  test('forwarded ports are those of the services', () => {
    const forwarded = calls.filter((call) => call[3] === 'port-forward')
    expect(forwarded.length).toBeGreaterThan(0)
    for (const [, , , , target = '', ports = ''] of forwarded) {
      const [service] = manifests.filter(({ kind, metadata }) => `${kind.toLowerCase()}/${metadata.name}` === target)
      expect(Service.parse(service).spec.ports.map(({ port }) => port)).toContain(Number(ports.split(':')[1]))
    }
  })

  test('the image that is built and loaded is that of the development overlay', () => {
    const [[, target = '', , image = ''] = []] = callsOf('docker', 'build')
    expect(readText('Dockerfile')).toMatch(new RegExp(`^FROM .+ AS ${target}$`, 'im'))
    expect(callsOf('kind', 'load', 'docker-image')).toEqual([[image]])
    const [gateway] = workloadsOf(build('development')).filter(({ metadata }) => metadata.name === 'gateway')
    expect(gateway?.spec.template.spec.containers.map((container) => container.image)).toEqual([image])
  })
})
