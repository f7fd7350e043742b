import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { backupLabelFinding } from './backup-label-finding.ts'
import { checkBackupLabel } from './check-backup-label.ts'
import { doctorContext } from './doctor-context.ts'

const NOW = new Date('2026-11-21T12:00:00Z')
const ago = (hours: number) => new Date(NOW.getTime() - hours * 3_600_000)
const backup = (hours: number, label: string | null = 'pgBackRest backup started at noon') => ({
  endedAt: ago(hours),
  label,
})

/** On a primary that was never promoted, with pgBackRest. */
const finding = (known: Partial<Parameters<typeof backupLabelFinding>[0]>) =>
  backupLabelFinding({ newest: undefined, timeline: 1, promotedAt: undefined, usesPgBackRest: true, ...known }, NOW)

test('a base backup of today is ok, and an old one of this primary is warned', () => {
  expect(finding({ newest: backup(2) })).toEqual({
    check: 'base backup',
    state: 'ok',
    found: '2.0 hours old (pgBackRest backup started at noon)',
  })
  expect(finding({ newest: backup(27) })).toMatchObject({
    state: 'warn',
    found: expect.stringMatching(/^27\.0 hours old/),
    advice: expect.stringContaining('pgbackrest backup'),
  })
  expect(finding({ newest: backup(27), timeline: 2, promotedAt: ago(100) })).toMatchObject({ state: 'warn' })
})

test('a role that may not read the label gets its age, which may be that of a copy', () => {
  expect(finding({ newest: backup(2, null) })).toMatchObject({
    state: 'ok',
    found: '2.0 hours old (or a standby was copied then)',
  })
})

test('a primary that was promoted today may not know the newest backup, and is not warned', () => {
  const promoted = { timeline: 2, promotedAt: ago(5) }
  expect(finding(promoted)).toMatchObject({ state: 'ok', found: 'unknown on this primary' })
  expect(finding({ ...promoted, newest: backup(40) })).toMatchObject({
    state: 'ok',
    found: expect.stringMatching(/^unknown on this primary, which made one that is 40\.0 hours old/),
  })
  expect(finding({ newest: backup(40), timeline: 2 })).toMatchObject({ state: 'ok' })
})

test('a primary that was promoted days ago and has made no backup since is warned', () => {
  const promoted = { timeline: 2, promotedAt: ago(72) }
  expect(finding(promoted)).toMatchObject({ state: 'warn', found: 'none since this primary was promoted' })
  expect(finding({ ...promoted, newest: backup(80) })).toMatchObject({ state: 'warn' })
})

test('a primary of the first timeline without a backup is warned, unless its role may not look', () => {
  expect(finding({})).toMatchObject({ state: 'warn', found: 'none' })
  expect(finding({ newest: 'hidden' })).toMatchObject({ state: 'ok', found: 'unknown on this primary' })
  expect(finding({ usesPgBackRest: false })).toMatchObject({ state: 'ok', found: 'unknown on this primary' })
})

test('a copy for a standby is no backup, whatever archives', () => {
  const copy = backup(1, 'pg_basebackup base backup')
  expect(finding({ newest: copy, usesPgBackRest: false })).toMatchObject({ found: 'unknown on this primary' })
})

test('a copy for a standby hides the backup before it, but not that there was none since', () => {
  const copy = backup(3, 'pg_basebackup base backup')
  expect(finding({ newest: copy })).toMatchObject({ state: 'ok', found: 'unknown on this primary' })
  expect(finding({ newest: copy, timeline: 2, promotedAt: ago(72) })).toMatchObject({ state: 'ok' })
  const old = backup(40, 'pg_basebackup base backup')
  const found = 'none since a standby was copied 40.0 hours ago'
  expect(finding({ newest: old })).toMatchObject({ state: 'warn', found })
  expect(finding({ newest: old, timeline: 2, promotedAt: ago(72) })).toMatchObject({ state: 'warn', found })
  expect(finding({ newest: old, usesPgBackRest: false })).toMatchObject({ state: 'ok' })
})

test('another tool may make backups from a standby', () => {
  expect(finding({ newest: backup(40), usesPgBackRest: false })).toMatchObject({ state: 'ok' })
  expect(finding({ usesPgBackRest: false, timeline: 2, promotedAt: ago(72) })).toMatchObject({ state: 'ok' })
})

test('a primary that ends the connection at a query, as in a switchover, gives no finding', async () => {
  let queries = 0
  const server = createServer((socket) => {
    socket.on('error', () => {}) // The client may have closed it.
    socket.once('data', () => {
      socket.write(Buffer.concat([postgresMessage('R', '\0\0\0\0'), postgresMessage('Z', 'I')]))
      socket.once('data', () => {
        queries++
        socket.end(postgresMessage('E', 'SFATAL\0C57P01\0Mterminating connection\0\0'))
      })
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const place = server.address()
  const port = typeof place === 'object' ? place?.port : undefined
  const context = doctorContext({ DATABASE_URL: `postgres://shop:unused@127.0.0.1:${port}/shop` })
  try {
    expect(await checkBackupLabel(context)).toBeUndefined()
    expect(queries).toBe(1)
  } finally {
    server.close()
  }
})

/** A message of PostgreSQL's protocol: its type, its length without that type, its content. */
function postgresMessage(type: string, content: string): Buffer {
  const head = Buffer.from(`${type}\0\0\0\0`)
  head.writeInt32BE(4 + content.length, 1)
  return Buffer.concat([head, Buffer.from(content)])
}
