import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { SERVICE_NAMES } from '@storefront/contracts'
import { readText } from '../repository/source-files.ts'
import { alerts, alertTests, FOLDER, rules } from './observability-files.ts'
import { readExpression } from './promql.ts'
import { unknownSeries } from './unknown-series.ts'

const checks = alertTests()

test('every rule reads series that exist', () => {
  expect(rules().flatMap(({ expr }) => unknownSeries(expr))).toEqual([])
})

test('targets get each label that rules read from `up`, in containers and in Kubernetes', () => {
  const Jobs = z.object({
    scrape_configs: z.array(
      z.looseObject({
        job_name: z.string(),
        relabel_configs: z.array(z.object({ target_label: z.string() })).default([]),
      }),
    ),
  })
  const PodMonitor = z.object({
    spec: z.object({
      selector: z.object({ matchExpressions: z.tuple([z.object({ key: z.string(), values: z.array(z.string()) })]) }),
      podMetricsEndpoints: z.tuple([z.looseObject({ relabelings: z.array(z.unknown()) })]),
    }),
  })
  const read = rules()
    .flatMap(({ expr }) => readExpression(expr).selectors)
    .flatMap(({ metric, labels }) => (metric === 'up' ? labels : []))
  // Prometheus itself sets the job, which is another one in Kubernetes.
  expect(new Set(read)).toEqual(new Set(['service', 'job']))

  const { scrape_configs: jobs } = Jobs.parse(parse(readText(`${FOLDER}/prometheus.yml`)))
  const labelsSet = jobs.map(({ job_name: name, relabel_configs: own }) => [name, own.map((each) => each.target_label)])
  expect(labelsSet).toContainEqual(['storefront', ['service']])
  expect(labelsSet).toContainEqual(['edge', []])

  const monitor = readText('deploy/kubernetes/components/monitoring/pod-monitor.yaml')
  const { selector, podMetricsEndpoints } = PodMonitor.parse(parse(monitor)).spec
  const [{ key, values }] = selector.matchExpressions
  expect(values).toEqual(SERVICE_NAMES)
  expect(podMetricsEndpoints[0]).toMatchObject({
    honorLabels: true,
    relabelings: [{ sourceLabels: [`__meta_kubernetes_pod_label_${key.replace(/\W/, '_')}`], targetLabel: 'service' }],
  })
})

test('CloudNativePG is scraped with the label by which rules group its servers, as Patroni labels its own', () => {
  const monitor: unknown = parse(readText('deploy/kubernetes/components/monitoring/postgres-monitor.yaml'))
  const [, cluster] = /^ {2}name: (\w+)$/m.exec(readText('deploy/kubernetes/overlays/production/postgres.yaml')) ?? []
  expect(monitor).toMatchObject({
    spec: {
      selector: { matchLabels: { 'cnpg.io/cluster': cluster } },
      podMetricsEndpoints: [
        {
          port: 'metrics',
          relabelings: [
            {
              sourceLabels: ['__meta_kubernetes_namespace', '__meta_kubernetes_pod_label_cnpg_io_cluster'],
              separator: '/',
              targetLabel: 'scope',
            },
          ],
        },
      ],
    },
  })
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
    const ofAlert = checks.filter((check) => check.alert === alert)
    expect(ofAlert.some(({ firing }) => firing > 0)).toBe(true)
    expect(ofAlert.some(({ firing }) => firing === 0)).toBe(true)
  })
})
