import { auditSource, changeSentence, type ActivitySource, type AuditRow } from '@storefront/audit'
import { AUDITED_KINDS, type ActivityKind } from '@storefront/contracts'
import { z } from 'zod'
import type { Database } from '../database.ts'
import { findLastNames, findSubjectNames } from './subject-names.queries.ts'

const NOUNS: Readonly<Record<string, string>> = {
  product: 'Product',
  variant: 'Variant',
  category: 'Category',
  collection: 'Collection',
  'size-chart': 'Size chart',
  'library-item': 'Library item',
  review: 'Review',
  media: 'Picture',
} satisfies Partial<Record<ActivityKind, string>>

/** Changes of the catalog for the list of all activity. */
export function catalogActivity(db: Database): ActivitySource {
  return auditSource(db, {
    name: 'catalog',
    kinds: AUDITED_KINDS.catalog,
    withoutAction: 'bulk-edit',
    namesOf: (rows) => namesOf(db, rows),
    summaryOf,
  })
}

/** Kinds that can be deleted, and that had a name then. */
const DELETABLE = new Set(['product', 'category', 'collection', 'library-item', 'media'])

async function namesOf(db: Database, rows: readonly AuditRow[]): Promise<(string | undefined)[]> {
  const subjects = new Map(rows.map(({ subjectKind: kind, subjectId: id }) => [`${kind} ${id}`, { kind, id }]))
  const present = await findSubjectNames(db, [...subjects.values()])
  for (const { kind, id } of present) subjects.delete(`${kind} ${id}`)
  const gone = await findLastNames(
    db,
    [...subjects.values()].filter(({ kind }) => DELETABLE.has(kind)),
  )
  const names = new Map([...present, ...gone].map(({ kind, id, name }) => [`${kind} ${id}`, name]))
  return rows.map((row) => names.get(`${row.subjectKind} ${row.subjectId}`) ?? nameIn(row))
}

/** The summary of a new, deleted or renamed record. */
const Named = z.object({
  title: z.string().optional().catch(undefined),
  name: z.string().optional().catch(undefined),
  label: z.string().optional().catch(undefined),
})

function nameIn({ before, after }: AuditRow): string | undefined {
  const { title, name, label } = Named.parse(after ?? before ?? {})
  return title ?? name ?? label
}

const Inventory = z.object({ inventory: z.int() })

function summaryOf(row: AuditRow, name = row.subjectId): string {
  const { subjectKind: kind, action, before, after } = row
  if (kind === 'storefront') return storefrontSentence(row)
  if (kind === 'bulk-edit') return bulkEditSentence(row)
  if (kind === 'import') return action === 'import' ? importSentence(after) : 'An import was canceled.'
  const [from, to] = [Inventory.safeParse(before), Inventory.safeParse(after)]
  if (from.success && to.success) {
    return `The stock of “${name}” was changed from ${from.data.inventory} to ${to.data.inventory}.`
  }
  return changeSentence(`${NOUNS[kind] ?? 'Record'} “${name}”`, row)
}

/** What merchants call the parts of the storefront's settings; the others have the same name. */
const PARTS: ReadonlyMap<string, string> = new Map([
  ['store', 'name and contact'],
  ['pricing', 'currency and tax note'],
  ['commerce', 'delivery and tax'],
  ['features', 'parts of the storefront'],
  ['navigation', 'announcement, menu and footer'],
  ['home', 'home page'],
  ['orders', 'order numbers'],
  ['notifications', 'emails'],
  ['seo', 'search engines'],
  ['deliveryPolicy', 'delivery policy'],
  ['i18n', 'languages'],
  ['uiStrings', 'texts'],
  ['theme', 'colors and typography'],
  ['consent', 'consent banner'],
])

/** Such as `The storefront settings were changed: delivery and tax.` */
function storefrontSentence({ before, after }: AuditRow): string {
  const parts = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  const named = parts.map((part) => PARTS.get(part) ?? part)
  return `The storefront settings were changed${named.length === 0 ? '' : `: ${named.join('; ')}`}.`
}

/** What merchants call the types of records in an import; the others have the same name. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ['sizeCharts', 'size charts'],
  ['library', 'library items'],
])

const Counts = z.object({ created: z.int(), updated: z.int(), deleted: z.int() })

/** Such as `An import was applied (products: 12 created, 3 updated; size charts: 2 deleted).` */
function importSentence(summary: AuditRow['after']): string {
  const parts = Object.entries(summary ?? {}).flatMap(([type, value]) => {
    const counts = Counts.safeParse(value)
    const counted = Object.entries(counts.data ?? {}).filter(([, count]) => count > 0)
    return counted.length === 0
      ? []
      : [`${TYPES.get(type) ?? type}: ${counted.map(([what, count]) => `${count} ${what}`).join(', ')}`]
  })
  return parts.length === 0
    ? 'An import was applied and changed nothing.'
    : `An import was applied (${parts.join('; ')}).`
}

const BulkEditSummary = z.object({
  products: z.int().default(0),
  undoes: z.string().optional(),
  changed: z.int().default(0),
  unchanged: z.int().default(0),
  failed: z.int().default(0),
})

const productCount = (count: number): string => `${count} ${count === 1 ? 'product' : 'products'}`

/** Such as `A bulk edit ended: 12 products changed, 3 unchanged, 0 failed.` */
function bulkEditSentence({ action, after }: AuditRow): string {
  if (action === 'delete') return 'A bulk edit was canceled.'
  const { products, undoes, changed, unchanged, failed } = BulkEditSummary.parse(after ?? {})
  if (action === 'update')
    return `A bulk edit ended: ${productCount(changed)} changed, ${unchanged} unchanged, ${failed} failed.`
  return `${undoes === undefined ? 'A bulk edit' : 'The undo of a bulk edit'} of ${productCount(products)} was started.`
}
