import { parse } from 'yaml'
import { z } from 'zod'
import { readText } from '../repository/source-files.ts'
import { Service } from './engine.ts'

const Definition = z.record(z.string(), z.unknown())
const ComposeFile = z.looseObject({
  services: z.record(z.string(), Definition),
  networks: Definition,
  volumes: Definition.default({}),
})
const Lines = z.array(z.string())
/** The names of networks, with the address that a service has in some of them. */
const Networks = z.preprocess(
  (networks) =>
    Array.isArray(networks) ? Object.fromEntries(Lines.parse(networks).map((name) => [name, {}])) : networks,
  z.record(z.string(), z.object({ ipv4_address: z.string().optional() })),
)
const MergedService = Service.extend({
  networks: Networks.optional(),
  depends_on: z.union([z.record(z.string(), z.object({ condition: z.string() })), z.array(z.string())]).optional(),
  deploy: z.object({ replicas: z.number() }).optional(),
})

/** docker-compose.yml with other files on top of it, as `docker compose -f docker-compose.yml -f <path>` merges them. */
export function mergedComposeFile(...paths: readonly string[]) {
  const files = ['docker-compose.yml', ...paths].map((file) => {
    const text: unknown = parse(readText(file), { merge: true, maxAliasCount: -1 })
    return ComposeFile.parse(text)
  })
  const services: Record<string, Record<string, unknown>> = {}
  for (const [name, definition] of files.flatMap((file) => Object.entries(file.services))) {
    services[name] = mergedService(services[name] ?? {}, definition)
  }
  return {
    services: z.record(z.string(), MergedService).parse(services),
    networks: Object.fromEntries(files.flatMap((file) => Object.entries(file.networks))),
    volumes: Object.fromEntries(files.flatMap((file) => Object.entries(file.volumes))),
    /** The services that the last file adds or changes. */
    changed: Object.keys(files.at(-1)?.services ?? {}),
  }
}

/** Mappings are merged, lists are joined, mounts replace those at the same place, and everything else is replaced. */
function mergedService(base: Record<string, unknown>, over: Record<string, unknown>): Record<string, unknown> {
  const merged = { ...base, ...over }
  for (const key of ['environment', 'depends_on']) {
    if (base[key] && over[key]) merged[key] = { ...Definition.parse(base[key]), ...Definition.parse(over[key]) }
  }
  if (base['networks'] && over['networks']) {
    merged['networks'] = { ...Networks.parse(base['networks']), ...Networks.parse(over['networks']) }
  }
  for (const key of ['tmpfs', 'ports']) {
    if (base[key] && over[key]) merged[key] = [...new Set([...Lines.parse(base[key]), ...Lines.parse(over[key])])]
  }
  if (base['volumes'] && over['volumes']) {
    const mounts = [...Lines.parse(base['volumes']), ...Lines.parse(over['volumes'])]
    merged['volumes'] = [...new Map(mounts.map((mount) => [mount.split(':')[1], mount])).values()]
  }
  return merged
}
