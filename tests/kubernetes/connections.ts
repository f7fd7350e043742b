import { z } from 'zod'
import type { Manifest } from './manifests.ts'

const PodSelector = z.strictObject({
  matchLabels: z.record(z.string(), z.string()).default({}),
  matchExpressions: z
    .array(z.strictObject({ key: z.string(), operator: z.literal('In'), values: z.array(z.string()) }))
    .default([]),
})
const IpBlock = z.strictObject({ cidr: z.string(), except: z.array(z.string()).default([]) })
const Peer = z.strictObject({
  podSelector: PodSelector.optional(),
  namespaceSelector: z.strictObject({ matchLabels: z.record(z.string(), z.string()) }).optional(),
  ipBlock: IpBlock.optional(),
})
type Peer = z.output<typeof Peer>
const Port = z.strictObject({ protocol: z.enum(['TCP', 'UDP']), port: z.number().optional() })
const Ports = z.array(Port).min(1)
const Policy = z.strictObject({
  podSelector: PodSelector,
  policyTypes: z.array(z.enum(['Ingress', 'Egress'])),
  ingress: z.array(z.strictObject({ from: z.array(Peer).min(1), ports: Ports })).default([]),
  egress: z.array(z.strictObject({ to: z.array(Peer).min(1).optional(), ports: Ports })).default([]),
})

const NAMESPACE = 'kubernetes.io/metadata.name'

/** The pods of one part of the shop, as the policies see them. */
export interface Pods {
  part: string
  labels: Record<string, string>
}

/** True when one policy denies every pod all traffic except name lookups. */
export function isolatesEveryPod(manifests: readonly Manifest[]): boolean {
  return policiesOf(manifests).some(
    ({ podSelector, policyTypes, ingress, egress }) =>
      isEverything(podSelector) &&
      policyTypes.length === 2 &&
      ingress.length === 0 &&
      egress.every(({ ports }) => ports.every(({ port }) => port === 53)),
  )
}

/** The connections that the policies of the senders (`leaving`) and of the receivers (`arriving`) allow. */
export function allowedConnections(
  manifests: readonly Manifest[],
  pods: readonly Pods[],
): { leaving: string[]; arriving: string[] } {
  const policies = policiesOf(manifests).filter(({ podSelector }) => !isEverything(podSelector))
  const leaving = policies.flatMap(({ podSelector, egress }) =>
    selectedParts(podSelector, pods).flatMap((part) =>
      egress.flatMap(({ to, ports }) =>
        (to?.flatMap((peer) => namesOf(peer, pods)) ?? ['anywhere']).flatMap((target) =>
          ports.map((port) => `${part} → ${target}:${nameOf(port)}`),
        ),
      ),
    ),
  )
  const arriving = policies.flatMap(({ podSelector, ingress }) =>
    selectedParts(podSelector, pods).flatMap((part) =>
      ingress.flatMap(({ from, ports }) =>
        from
          .flatMap((peer) => namesOf(peer, pods))
          .flatMap((source) => ports.map((port) => `${source} → ${part}:${nameOf(port)}`)),
      ),
    ),
  )
  return { leaving: unique(leaving), arriving: unique(arriving) }
}

/** The address blocks outside of the cluster that these pods may reach at a TCP port. */
export function blocksOf(manifests: readonly Manifest[], pods: Pods, wanted: number): z.output<typeof IpBlock>[] {
  return policiesOf(manifests)
    .filter(({ podSelector }) => selectedParts(podSelector, [pods]).length > 0)
    .flatMap(({ egress }) => egress)
    .filter(({ ports }) => ports.some(({ protocol, port = wanted }) => protocol === 'TCP' && port === wanted))
    .flatMap(({ to = [] }) => to.flatMap(({ ipBlock }) => ipBlock ?? []))
}

function policiesOf(manifests: readonly Manifest[]): z.output<typeof Policy>[] {
  return manifests.filter(({ kind }) => kind === 'NetworkPolicy').map(({ spec }) => Policy.parse(spec))
}

/** Without a number it is every port. */
function nameOf({ protocol, port }: z.output<typeof Port>): string {
  return port === undefined ? `any ${protocol} port` : String(port)
}

function namesOf({ podSelector, namespaceSelector, ipBlock }: Peer, pods: readonly Pods[]): string[] {
  if (ipBlock) return ['internet']
  if (!namespaceSelector) return podSelector ? selectedParts(podSelector, pods) : []
  const pod = podSelector?.matchLabels['app.kubernetes.io/name']
  return [['namespace', namespaceSelector.matchLabels[NAMESPACE], pod].filter((word) => word !== undefined).join(' ')]
}

function selectedParts({ matchLabels, matchExpressions }: z.output<typeof PodSelector>, pods: readonly Pods[]) {
  const selected = pods.filter(
    ({ labels }) =>
      Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
      matchExpressions.every(({ key, values }) => values.some((value) => labels[key] === value)),
  )
  return selected.map(({ part }) => part)
}

function isEverything({ matchLabels, matchExpressions }: z.output<typeof PodSelector>): boolean {
  return Object.keys(matchLabels).length === 0 && matchExpressions.length === 0
}

function unique(connections: readonly string[]): string[] {
  return [...new Set(connections)].toSorted()
}
