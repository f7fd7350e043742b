import { parse } from 'yaml'
import { z } from 'zod'
import { filesBelow, readText } from '../repository/source-files.ts'

export const FOLDER = 'deploy/observability'

const Target = z.object({ refId: z.string(), expr: z.string(), legendFormat: z.string().optional() })
const Box = z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() })
const Datasource = z.object({ type: z.string(), uid: z.string() })

const Panel = z.discriminatedUnion('type', [
  z.object({ type: z.literal('row'), id: z.number(), title: z.string().min(1), gridPos: Box }),
  z.object({
    type: z.enum(['stat', 'timeseries', 'table']),
    id: z.number(),
    title: z.string().min(1),
    description: z.string().min(10),
    datasource: Datasource,
    gridPos: Box,
    fieldConfig: z.object({ defaults: z.object({ unit: z.string().min(1) }) }),
    targets: z.array(Target).min(1),
  }),
])

const Dashboard = z.object({
  uid: z.string().regex(/^storefront-[a-z]+$/),
  title: z.string().min(1),
  description: z.string().min(10),
  schemaVersion: z.number().min(39),
  templating: z.object({ list: z.array(z.object({ name: z.string(), query: z.string() })) }),
  panels: z.array(Panel),
})
export type Dashboard = z.infer<typeof Dashboard>

const RuleFile = z.object({
  groups: z.array(
    z.object({
      name: z.string(),
      rules: z.array(
        z.union([
          z.strictObject({ record: z.string(), expr: z.string() }),
          z.strictObject({
            alert: z.string(),
            expr: z.string(),
            for: z.string().optional(),
            labels: z.strictObject({ severity: z.enum(['page', 'ticket']) }),
            annotations: z.strictObject({ summary: z.string(), runbook_url: z.string() }),
          }),
        ]),
      ),
    }),
  ),
})

const TestFile = z.object({
  tests: z.array(
    z.object({
      alert_rule_test: z.array(z.object({ alertname: z.string(), exp_alerts: z.array(z.unknown()) })),
    }),
  ),
})

/** The dashboards, by the paths of their files. */
export function dashboards(): { path: string; dashboard: Dashboard }[] {
  return filesBelow(`${FOLDER}/grafana/dashboards`).map((path) => ({
    path,
    dashboard: Dashboard.parse(JSON.parse(readText(path))),
  }))
}

/** The panels without the rows. */
export function panelsOf({ panels }: Dashboard) {
  return panels.flatMap((panel) => (panel.type === 'row' ? [] : [panel]))
}

/** Every rule in the order of the files. */
export function rules() {
  return filesBelow(`${FOLDER}/alerts`).flatMap((path) =>
    RuleFile.parse(parse(readText(path))).groups.flatMap((group) => group.rules),
  )
}

/** The rules that page an operator or create a ticket. */
export function alerts() {
  return rules().flatMap((rule) => ('alert' in rule ? [rule] : []))
}

/** The names of the series that rules record. */
export function recordedNames(): string[] {
  return rules().flatMap((rule) => ('record' in rule ? [rule.record] : []))
}

/** Every check of an alert in the alert tests, and how many alerts must fire there. */
export function alertTests(): { alert: string; firing: number }[] {
  return alertTestFiles().flatMap((path) =>
    TestFile.parse(parse(readText(path))).tests.flatMap((test) =>
      test.alert_rule_test.map(({ alertname, exp_alerts }) => ({ alert: alertname, firing: exp_alerts.length })),
    ),
  )
}

export function alertTestFiles(): string[] {
  return filesBelow(`${FOLDER}/alert-tests`)
}
