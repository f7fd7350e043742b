import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { breachesOf } from './compare-schemas.ts'
import { digestOf } from './describe-event.ts'
import { lastDigest, readPublishedShapes, writePublishedShapes, type PublishedShape } from './published-shapes.ts'

interface UpdateOptions {
  folder: string
  /** Schemas of the present code by name, as texts of files. */
  schemas: ReadonlyMap<string, string>
  /** ISO date, written into the list of published shapes. */
  today: string
  /** Only compares, and writes nothing. */
  check: boolean
  /** Events that may break their published shapes, and the reason. */
  accept?: { events: readonly string[]; because: string }
}

export interface Update {
  /** Files that were written, or with `check` would be. */
  stale: string[]
  /** Sentences about changes that break consumers. When there are any, nothing is written. */
  rejected: string[]
}

type Comparison =
  | { kind: 'same' }
  | { kind: 'write'; text: string | undefined; note: string }
  | { kind: 'reject'; faults: string[] }

const CHANGES = 'CHANGES.md'

/** Updates the committed schemas from the code, unless a published shape would break. */
export async function updateSchemas({ folder, schemas: known, today, check, accept }: UpdateOptions): Promise<Update> {
  const shapes = readPublishedShapes(await readFile(join(folder, CHANGES), 'utf8').catch(() => ''))
  const committed = await readSchemas(folder)
  const names = [...new Set([...known.keys(), ...committed.keys(), ...published(shapes)])].toSorted()
  const unknown = accept?.events.filter((name) => !names.includes(name)) ?? []
  const update: Update = { stale: [], rejected: unknown.map((name) => `${name}: there is no such schema.`) }
  const added: PublishedShape[] = []
  const writes: (() => Promise<void>)[] = []
  for (const name of names) {
    const because = accept?.events.includes(name) === true ? accept.because : undefined
    const result = compare({
      code: known.get(name),
      file: committed.get(name),
      digest: lastDigest(shapes, name),
      because,
    })
    if (result.kind === 'same') continue
    if (result.kind === 'reject') {
      update.rejected.push(...result.faults.map((fault) => `${name}: ${fault}.`))
      continue
    }
    const { text, note } = result
    const path = join(folder, `${name}.json`)
    update.stale.push(`${name}.json`)
    added.push({ date: today, event: name, digest: text === undefined ? undefined : digestOf(text), note })
    writes.push(() => (text === undefined ? rm(path, { force: true }) : writeFile(path, text)))
  }
  if (check || update.rejected.length > 0 || writes.length === 0) return update
  await mkdir(folder, { recursive: true })
  for (const write of writes) await write()
  await writeFile(join(folder, CHANGES), writePublishedShapes([...shapes, ...added]))
  return update
}

interface Case {
  code: string | undefined
  file: string | undefined
  digest: string | undefined
  because: string | undefined
}

function compare({ code, file, digest, because }: Case): Comparison {
  const isUntouched = file === undefined ? digest === undefined : isJson(file) && digestOf(file) === digest
  if (because !== undefined && (code !== file || !isUntouched)) {
    return { kind: 'write', text: code, note: `accepted although consumers may break: ${because}` }
  }
  if (!isUntouched) {
    return {
      kind: 'reject',
      faults: ['its schema is not the last one in CHANGES.md: restore both files'],
    }
  }
  if (code === file) return { kind: 'same' }
  if (code === undefined) return { kind: 'reject', faults: ['it was published, and the code no longer defines it'] }
  if (file === undefined) return { kind: 'write', text: code, note: 'new' }
  const faults = breachesOf(JSON.parse(file), JSON.parse(code))
  if (faults.length > 0) return { kind: 'reject', faults }
  return { kind: 'write', text: code, note: 'what was published still fits' }
}

function published(shapes: readonly PublishedShape[]): string[] {
  return shapes.map(({ event }) => event).filter((event) => lastDigest(shapes, event) !== undefined)
}

async function readSchemas(folder: string): Promise<Map<string, string>> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json'))
  const read = async (name: string) =>
    [name.slice(0, -'.json'.length), await readFile(join(folder, name), 'utf8')] as const
  return new Map(await Promise.all(names.map(read)))
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
