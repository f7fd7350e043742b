import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { readText, repository, tableRows } from './source-files.ts'

const STATUSES = ['yes', 'no', 'not applicable']
/** The requirements of levels 1 and 2 in the final text of 5.0.0, each with its level. */
const REQUIREMENTS = z
  .record(z.string().regex(/^\d+\.\d+\.\d+$/), z.literal([1, 2]))
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, '../fixtures/asvs-5.0.0.json'), 'utf8')))

const rows = tableRows(readText('docs/asvs.md')).filter(([number = '']) => /^\d+\.\d+\.\d+$/.test(number))

describe('docs/asvs.md', () => {
  test('has each requirement of levels 1 and 2 once, in their order, with its level', () => {
    expect(Object.values(REQUIREMENTS).filter((level) => level === 1)).toHaveLength(70)
    expect(Object.values(REQUIREMENTS).filter((level) => level === 2)).toHaveLength(183)
    expect(rows.map(([number, level]) => [number, Number(level)])).toEqual(Object.entries(REQUIREMENTS))
  })

  test('has a status and a reason for each of them', () => {
    expect(rows.filter(([, , , status = '']) => !STATUSES.includes(status))).toEqual([])
    expect(rows.filter(({ length }) => length !== 5)).toEqual([])
    for (const [number, , requirement = '', , proof = ''] of rows) {
      expect(requirement.length, number).toBeGreaterThan(10)
      expect(proof.length, number).toBeGreaterThan(5)
    }
  })

  test('has the correct totals', () => {
    const summary = tableRows(readText('docs/asvs.md').split('\n## ')[0] ?? '')
    const [, , ...chapters] = summary
    const counted = chapters.map(([name = '', ...counts]) => {
      const chapter =
        name === 'All' ? rows : rows.filter(([number = '']) => `V${number.split('.')[0]}` === name.split(' ')[0])
      const found = STATUSES.map((status) => chapter.filter((row) => row[3] === status).length)
      return { name, counts: counts.map(Number), found }
    })
    expect(counted).toHaveLength(18)
    for (const { name, counts, found } of counted) expect(counts, name).toEqual(found)
  })
})

describe.each(['docs/asvs.md', 'docs/threat-model.md'])('the tables of %s', (document) => {
  const cells = tableRows(readText(document)).flat()

  test('name existing files', () => {
    const named = cells.flatMap((cell) => [...cell.matchAll(/`((?:[\w.-]+\/)+[\w.-]+\.(?:ts|md|json|sql|yml))`/g)])
    expect(named.length).toBeGreaterThan(10)
    expect(named.map(([, path = '']) => path).filter((path) => !existsSync(join(repository, path)))).toEqual([])
  })

  test('quote existing test titles', () => {
    const named = cells.flatMap((cell) => [...cell.matchAll(/`([\w./-]+\.ts)` \(("[^()]*")\)/g)])
    const unknown = named.flatMap(([, path = '', titles = '']) => {
      const text = readText(path)
      const quoted = [...titles.matchAll(/"([^"]+)"/g)].map(([, title = '']) => title)
      return quoted.filter((title) => !text.includes(title)).map((title) => `${path}: ${title}`)
    })
    expect(named.length).toBeGreaterThan(10)
    expect(unknown).toEqual([])
  })
})

test('the threat model has all four columns for each threat to an asset', () => {
  const sections = readText('docs/threat-model.md').split('\n## ').slice(1)
  const assets = sections.filter((section) => /^\| Attacker/m.test(section))
  expect(assets.length).toBeGreaterThan(20)
  for (const section of assets) {
    const [head = [], , ...threats] = tableRows(section)
    expect(head).toEqual(['Attacker', 'Entry point', 'Defense', 'Test'])
    for (const threat of threats) {
      expect(threat).toHaveLength(4)
      expect(
        threat.filter((cell) => cell === ''),
        threat.join(' | '),
      ).toEqual([])
      expect(threat[3]).toMatch(/`[\w./-]+\.test\.ts`/)
    }
  }
})
