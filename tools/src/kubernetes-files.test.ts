import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { natsUsersFile, prometheusRule } from './kubernetes-files.ts'

const repository = resolve(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(repository, path), 'utf8')
const REPAIR = 'run npm run kubernetes to update it'

test('NATS in Kubernetes has the permissions of the contracts', () => {
  expect(read('deploy/kubernetes/nats/users.conf'), REPAIR).toBe(natsUsersFile())
})

test('Prometheus in Kubernetes has the alerts of deploy/observability', () => {
  const alerts = globSync('deploy/observability/alerts/*.yml', { cwd: repository }).toSorted().map(read)
  expect(read('deploy/kubernetes/components/monitoring/prometheus-rule.yaml'), REPAIR).toBe(prometheusRule(alerts))
})

test('rules of several files are merged into one resource', () => {
  const file = (name: string): string =>
    `groups:\n  - name: ${name}\n    rules:\n      - record: a\n        expr: sum(b)\n`
  expect(prometheusRule([file('one'), file('two')])).toContain(`
  groups:
    - name: one
      rules:
        - record: a
          expr: sum(b)
    - name: two
`)
})
