import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { codeBlocks } from '../documents/code-blocks.ts'

/** A docker without an engine: it notes its arguments, prints a word, and fails if $FAILING is in them. */
const DOCKER = `#!/bin/sh
cat > /dev/null
echo "$*" >> "$CALLS"
echo new
case "$*" in *"$FAILING"*) exit 1 ;; esac
`
const FILES = ['moment', 'shop.dump', 'media.tar', 'secrets.json']
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'storefront-commands-'))
  await mkdir(join(folder, 'bin'))
  await writeFile(join(folder, 'bin', 'docker'), DOCKER, { mode: 0o755 })
  for (const name of [...FILES, 'shop.sql']) await writeFile(join(folder, name), 'old\n')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** The documented blocks with these words. */
const blocksWith = (words: string, info = 'sh compose') =>
  codeBlocks('docs/operations.md', info)
    .map(({ text }) => text)
    .filter((text) => text.includes(words))

/**
 * Runs a block as the shell of an operator does, which continues after a command that fails.
 * @returns whether it succeeded, and the arguments of each docker in their order
 */
async function paste(block: string, failing = 'no command') {
  const path = `${join(folder, 'bin')}${delimiter}${process.env['PATH'] ?? ''}`
  const env = { ...process.env, PATH: path, CALLS: join(folder, 'calls'), FAILING: failing }
  const succeeded = await promisify(execFile)('bash', ['-c', `{\n${block}\n} </dev/null`], { cwd: folder, env }).then(
    () => true,
    () => false,
  )
  return { succeeded, calls: (await readFile(join(folder, 'calls'), 'utf8')).trim().split('\n') }
}

const contents = () => Promise.all(FILES.map((name) => readFile(join(folder, name), 'utf8')))

test('a backup replaces every file of the one before', async () => {
  const [backup = ''] = blocksWith(' pg_dump ')
  expect(await paste(backup)).toMatchObject({ succeeded: true })
  const [moment, ...others] = await contents()
  expect(moment).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\n$/)
  expect(others).toEqual(['new\n', 'new\n', 'new\n'])
  expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([])
})

test.each([' pg_dump ', ' catalog sh ', ' configure '])(
  'a backup in which "%s" fails replaces no file of the one before',
  async (failing) => {
    const [backup = ''] = blocksWith(' pg_dump ')
    const { succeeded, calls } = await paste(backup, failing)
    expect(succeeded).toBe(false)
    expect(calls.at(-1)).toContain(failing)
    expect(await contents()).toEqual(FILES.map(() => 'old\n'))
  },
)

test.each([
  ['that changed while they were read', 1, true],
  ['that could not be read', 2, false],
])('an archive of pictures %s', async (_pictures, code, isComplete) => {
  const [backup = ''] = blocksWith(' pg_dump ')
  const inContainer = / catalog (sh -c '[^']+') /.exec(backup)?.[1] ?? ''
  const bash = promisify(execFile)('bash', [
    '-c',
    `tar() { return ${code}; }; export -f tar; ${inContainer.replace('sh', 'bash')}`,
  ])
  expect(
    await bash.then(
      () => true,
      () => false,
    ),
  ).toBe(isComplete)
})

test('a shop is not started with secrets that were not restored', async () => {
  const [secrets = ''] = blocksWith('restore-secrets.ts')
  expect((await paste(secrets)).calls).toEqual([expect.stringContaining(' configure '), 'compose up --detach'])
  const { succeeded, calls } = await paste(secrets, 'restore-secrets.ts')
  expect(succeeded).toBe(false)
  expect(calls.slice(2)).toEqual([expect.stringContaining(' configure ')])
})

test('a restore continues after the last invoice and the last order of the previous database', async () => {
  const [restore = ''] = blocksWith(' pg_restore ')
  const { calls } = await paste(restore)
  const read = calls.filter((call) => call.includes(' --dbname=shop_before '))
  expect(read.map((call) => / from (\S+)$/.exec(call)?.[1])).toEqual(['orders.invoice_counter', 'orders.order_numbers'])
  expect(calls).toContainEqual(expect.stringMatching(/ continue --moment old --last-invoice new --last-order new$/))
})

/** The blocks that put another database in the place of one. */
const RESTORES = [
  { info: 'sh compose', load: ' pg_restore ' },
  { info: 'sh compose move-to', load: ' --set=ON_ERROR_STOP=1' },
]

describe.each(RESTORES)('the restore in the blocks of $info', ({ info, load }) => {
  const [restore = ''] = blocksWith(' createdb ', info)

  test('starts the shop when its database is complete, and ends with the doctor', async () => {
    const { succeeded, calls } = await paste(restore)
    expect(succeeded).toBe(true)
    const at = (words: string) => calls.findLastIndex((call) => call.includes(words))
    expect(at(load)).toBeGreaterThan(at(' createdb '))
    expect(at(' continue ')).toBeGreaterThan(at(load))
    expect(at(' up ')).toBeGreaterThan(at(' continue '))
    expect(calls.at(-1)).toBe('compose run --rm -T doctor')
  })

  test.each([' rename to shop_before', ' createdb ', load, ' migrate', ' continue '])(
    'neither starts the shop nor drops the previous database after "%s" failed',
    async (failing) => {
      const { succeeded, calls } = await paste(restore, failing)
      expect(succeeded).toBe(false)
      expect(calls.at(-1)).toContain(failing)
    },
  )

  test('drops the previous database in a block of its own', () => {
    expect(blocksWith('dropdb', info)).toEqual([
      expect.stringMatching(/^docker compose exec -T \S+ dropdb --username=postgres shop_before\n$/),
    ])
  })
})

describe('the restore of three nodes to a moment', () => {
  const [block = ''] = blocksWith('/restore.sh ', 'sh compose moment')
  const restore = `moment=2026-11-21T08:00:00Z\n${block}`

  test('empties the other nodes when the first one accepts writes, and starts the shop last', async () => {
    const { succeeded, calls } = await paste(restore)
    expect(succeeded).toBe(true)
    const steps = [
      'compose stop edge ',
      ' from orders.order_numbers',
      'compose stop postgres-primary postgres postgres-2 postgres-3',
      '/restore.sh 2026-11-21T08:00:00Z',
      ' patronictl postgres remove storefront',
      'compose up --detach --no-deps postgres',
      ' pg_is_in_recovery()',
      ' --entrypoint rm postgres-2 ',
      'compose up --detach --no-deps postgres-2 postgres-3 ',
      ' continue --moment 2026-11-21T08:00:00Z --last-invoice new --last-order new',
      ' --type=full backup',
    ]
    const places = steps.map((step) => calls.findIndex((call) => call.includes(step)))
    expect(places).not.toContain(-1)
    expect(places).toEqual(places.toSorted((one, other) => one - other))
    expect(calls.indexOf('compose up --detach')).toBeGreaterThan(calls.findIndex((call) => call.includes(' continue ')))
    expect(calls.at(-1)).toBe('compose run --rm -T doctor')
  })

  test.each(['/restore.sh ', ' remove storefront', ' pg_is_in_recovery()', ' continue '])(
    'ends at "%s" when it fails, before the shop is started',
    async (failing) => {
      const { succeeded, calls } = await paste(restore, failing)
      expect(succeeded).toBe(false)
      expect(calls.at(-1)).toContain(failing)
    },
  )
})
