import { execFileSync } from 'node:child_process'
import {
  accessSync,
  constants,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, relative, resolve } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { LITTLE_COLLECTION } from '../support/little-collection.ts'

export const repository = resolve(import.meta.dirname, '../..')
export const folder = join(repository, 'deploy/kubernetes')
export const OVERLAYS = ['development', 'production', 'high-availability'] as const
export type Overlay = (typeof OVERLAYS)[number]

const Labels = z.record(z.string(), z.string())
export const Manifest = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string(), namespace: z.string().optional(), labels: Labels.default({}) }),
})
export type Manifest = z.output<typeof Manifest>

const KeyReference = z.object({ name: z.string(), key: z.string(), optional: z.boolean().default(false) })
const Variable = z.object({
  name: z.string(),
  value: z.string().optional(),
  valueFrom: z.looseObject({ secretKeyRef: KeyReference.optional() }).optional(),
})
const Container = z.looseObject({
  name: z.string(),
  image: z.string(),
  args: z.array(z.string()).default([]),
  ports: z.array(z.looseObject({ name: z.string(), containerPort: z.number() })).default([]),
  env: z.array(Variable).default([]),
  envFrom: z.array(z.object({ configMapRef: z.object({ name: z.string() }) })).default([]),
  resources: z.object({ requests: Labels, limits: Labels }),
})
export type Container = z.output<typeof Container>
const PodTemplate = z.looseObject({
  metadata: z.object({ labels: Labels }),
  spec: z.looseObject({ containers: z.array(Container), serviceAccountName: z.string() }),
})
const Workload = z.looseObject({
  kind: z.enum(['Deployment', 'StatefulSet', 'Job']),
  metadata: z.looseObject({ name: z.string() }),
  spec: z.looseObject({ replicas: z.number().optional(), template: PodTemplate }),
})
export type Workload = z.output<typeof Workload>

const builder = findBuilder()

/** The end of the name of a suite that is skipped, with the reason. */
export const NEEDS_BUILDER = builder === undefined ? ' (SKIPPED: needs kubectl or kustomize on PATH)' : ''

/** What the builder printed, because several tests read the same. */
const built = new Map<Overlay, string>()

/** The manifests that Kubernetes would get. Needs kubectl or kustomize, see NEEDS_BUILDER. */
export function build(overlay: Overlay): Manifest[] {
  const text = built.get(overlay) ?? buildText(join(folder, 'overlays', overlay))
  built.set(overlay, text)
  return parseManifests(text)
}

/** The same for an overlay of an operator that adds a component to one of ours. */
export function buildWith(component: string, overlay: Overlay): Manifest[] {
  const place = mkdtempSync(join(realpathSync(tmpdir()), 'storefront-overlay-'))
  try {
    // kustomize accepts relative paths only.
    const own = (path: string) => relative(place, join(folder, path))
    const kustomization = { resources: [own(`overlays/${overlay}`)], components: [own(`components/${component}`)] }
    writeFileSync(join(place, 'kustomization.yaml'), JSON.stringify({ namespace: 'storefront', ...kustomization }))
    return parseManifests(buildText(place))
  } finally {
    rmSync(place, { recursive: true })
  }
}

function buildText(place: string): string {
  if (builder === undefined) return ''
  return execFileSync(builder.file, [...builder.arguments, place], {
    encoding: 'utf8',
    env: { ...process.env, ...LITTLE_COLLECTION },
  })
}

/** The files before kustomize, without patches, kustomizations and values of charts. */
export function sourceFiles(): { path: string; manifests: Manifest[] }[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.yaml') && !/(kustomization|catalog-media|values)\.yaml$|patches\//.test(path))
    .toSorted()
    .map((path) => ({ path, manifests: parseManifests(readFileSync(join(folder, path), 'utf8')) }))
}

export function workloadsOf(manifests: readonly Manifest[]): Workload[] {
  return manifests.filter(({ kind }) => Workload.shape.kind.safeParse(kind).success).map((one) => Workload.parse(one))
}

export function partOf({ spec }: Workload): string {
  return spec.template.metadata.labels['storefront/part'] ?? 'none'
}

function parseManifests(text: string): Manifest[] {
  return parseAllDocuments(text).map((document) => Manifest.parse(document.toJSON()))
}

function findBuilder(): { file: string; arguments: string[] } | undefined {
  if (isOnPath('kubectl')) return { file: 'kubectl', arguments: ['kustomize'] }
  return isOnPath('kustomize') ? { file: 'kustomize', arguments: ['build'] } : undefined
}

function isOnPath(program: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((place) => {
    try {
      accessSync(join(place, program), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
