import { expect, test } from 'vitest'
import { baseBackupFinding } from './base-backup-finding.ts'
import { checkBaseBackup } from './check-base-backup.ts'

const STOPPED = 1_795_752_438

/** As pgBackRest 2.45 printed it, after a first backup of a stanza. */
const report = ({ max = '000000010000000000000002', code = 0, message = 'ok', backups = [STOPPED] } = {}) => [
  {
    archive: [{ database: { id: 1, 'repo-key': 1 }, id: '15-1', max: max || null, min: max || null }],
    backup: backups.map((stop) => ({
      archive: { start: '000000010000000000000002', stop: '000000010000000000000002' },
      backrest: { format: 5, version: '2.45' },
      error: false,
      label: '20261127-040700F',
      prior: null,
      reference: null,
      timestamp: { start: stop - 18, stop },
      type: 'full',
    })),
    cipher: 'none',
    name: 'shop',
    status: { code, lock: { backup: { held: false } }, message },
  },
]

const after = (hours: number) => new Date((STOPPED + hours * 3600) * 1000)

test('a base backup of today with its log is ok, and an old one is not', () => {
  expect(baseBackupFinding(report(), 'shop', after(2))).toEqual({
    check: 'base backup',
    state: 'ok',
    found: 'full, 2.0 hours old, the log until 000000010000000000000002',
  })
  const twoBackups = report({ backups: [STOPPED, STOPPED - 100_000] })
  expect(baseBackupFinding(twoBackups, 'shop', after(2))).toMatchObject({ state: 'ok' })
  expect(baseBackupFinding(report(), 'shop', after(27))).toMatchObject({
    state: 'warn',
    found: expect.stringContaining('27.0 hours old'),
    advice: expect.stringContaining('pgbackrest --stanza=shop backup'),
  })
})

test('a stanza that is missing, has no backup, no log or an error is a fault', () => {
  const empty = report({ backups: [], code: 2, message: 'no valid backups', max: '' })
  expect(baseBackupFinding(empty, 'shop', after(2))).toMatchObject({
    state: 'fault',
    found: 'none of shop (no valid backups)',
  })
  expect(baseBackupFinding([], 'shop', after(2))).toMatchObject({
    state: 'fault',
    found: 'none of shop (there is no such stanza)',
  })
  expect(baseBackupFinding(report({ max: '' }), 'shop', after(2))).toMatchObject({
    state: 'fault',
    found: 'full, 2.0 hours old, without a log',
  })
  expect(baseBackupFinding(report({ code: 4, message: 'different across repos' }), 'shop', after(2))).toMatchObject({
    state: 'fault',
    found: expect.stringContaining('different across repos'),
  })
})

test('pgBackRest is looked at only where the shop uses it, and a machine without it is a warning', async () => {
  expect(await checkBaseBackup({}, after(2))).toBeUndefined()
  expect(await checkBaseBackup({ PATH: '/nowhere', PGBACKREST_STANZA: 'shop' }, after(2))).toMatchObject({
    state: 'warn',
    advice: expect.stringContaining('PGBACKREST_STANZA'),
  })
})
