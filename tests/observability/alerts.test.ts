import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { readText, repository } from '../repository/source-files.ts'
import { alerts, alertTestFiles, alertTests, FOLDER, rules } from './observability-files.ts'
import { findPrometheus } from './prometheus-programs.ts'
import { unknownSeries } from './unknown-series.ts'

const run = promisify(execFile)
const programs = await findPrometheus()
const looks = alertTests()
const inRepository = (path: string): string => join(repository, path)

test('every rule reads series that exist', () => {
  expect(rules().flatMap(({ expr }) => unknownSeries(expr))).toEqual([])
})

test('every recorded series is used', () => {
  const used = [
    ...alerts().map(({ expr }) => expr),
    ...['shop', 'services', 'events'].map((name) => readText(`${FOLDER}/grafana/dashboards/${name}.json`)),
  ].join('\n')
  const unused = rules().filter((rule) => 'record' in rule && !used.includes(rule.record))
  expect(unused).toEqual([])
})

describe.each(alerts())('$alert', ({ alert, annotations }) => {
  test('links to a section with its meaning, how to look, and what to do', () => {
    const runbook = readText('docs/operations.md')
    expect(annotations.runbook_url).toBe(`docs/operations.md#${alert.toLowerCase()}`)
    const section = runbook.split(/^#+ /m).find((text) => text.startsWith(`${alert}\n`)) ?? ''
    expect([...section.matchAll(/\*\*(.+?)\*\*/g)].map(([, word]) => word)).toEqual(['Means.', 'Look.', 'Do.'])
  })

  test('has tests in which it fires and in which it does not', () => {
    const ofAlert = looks.filter((look) => look.alert === alert)
    expect(ofAlert.some(({ firing }) => firing > 0)).toBe(true)
    expect(ofAlert.some(({ firing }) => firing === 0)).toBe(true)
  })
})

describe.skipIf(!programs)('promtool', () => {
  test('accepts configuration and rules', async () => {
    const { stdout } = await run(programs?.promtool ?? '', [
      'check',
      'config',
      inRepository(`${FOLDER}/prometheus.yml`),
    ])
    expect(stdout.match(/SUCCESS: \d+ rules found/g)).toHaveLength(4)
  })

  test.each(alertTestFiles())(
    'confirms that every alert of %s fires when it should, and only when it should',
    async (file) => {
      const { stdout } = await run(programs?.promtool ?? '', ['test', 'rules', inRepository(file)])
      expect(stdout).toContain('SUCCESS')
    },
  )
})
