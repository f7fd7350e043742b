import { describe, expect, test } from 'vitest'
import { readText } from '../repository/source-files.ts'
import { alerts, alertTests, FOLDER, rules } from './observability-files.ts'
import { unknownSeries } from './unknown-series.ts'

const looks = alertTests()

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
