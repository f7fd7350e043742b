import { z } from 'zod'
import { compareFields, unknownFieldFaults, type UnknownField } from '@storefront/http'
import type { DiscountInput, ImportMode, ImportRowType, Permission } from '@storefront/contracts'
import type { Database, Tx } from '../database.ts'
import { issuesOf, type Issue } from '../errors.ts'
import type { Applying } from './import-effects.ts'
import type { Checking } from './issue-list.ts'
import type { ImportPicture } from './pictures.queries.ts'
import type { ImportRow, RowFacts } from './staging.queries.ts'

/** The results of reading an import, one after the other. */
export type Reading =
  | { row: ImportRow; characters: number | undefined }
  /** A row whose type is unknown. */
  | { issue: Issue }
  /** An invalid row that no other refers to, or whose name is known. */
  | { issues: Issue[]; named?: ImportRow }
  | { mode: ImportMode }
  | { dryRun: boolean }
  /** Pictures on other servers, to be fetched into the shop's own store. */
  | { pictures: readonly ImportPicture[] }
  /** Columns of a file without a field in products. */
  | { columnsNotTaken: string[] }
  /** The file includes discounts, even if there are none: a replacing import then deletes all others. */
  | { hasDiscounts: true }
  /** The number of rows, as the file declares it. */
  | { end: number }

/** The identity of a row with errors, whose text may be anything. */
const Name = z
  .string()
  .min(1)
  .max(200)
  .refine((text) => text.isWellFormed() && !text.includes('\0'))
  .optional()
  .catch(undefined)
/** SKUs and ids that other rows must not have, even if this row is invalid. */
const NamedVariants = z
  .array(z.object({ sku: Name, id: Name }).catch({ sku: undefined, id: undefined }))
  .max(2000)
  .catch([])
const Named = z.object({ slug: Name, id: Name, title: Name, variants: NamedVariants })
export type Named = z.output<typeof Named>

export const UNREFERENCED = 'unreferenced'

/** A kind of rows, from the file to the catalog and back. */
interface Definition<Data> {
  schema: z.ZodType<Data>
  /** The name of its list in a JSON document, or in the library of the document. */
  list?: string
  inLibrary?: true
  /** The permission that it needs in addition to that for imports. */
  permission?: Permission
  /** A file that replaces the shop deletes its records even when it has no row of the kind. */
  deletedWhenAbsent?: true
  /** The field that must be unique among the rows of an import. */
  unique?: 'slug' | 'id' | 'code'
  factsOf?: (data: Data) => RowFacts
  /**
   * The name by which others refer to an invalid row; `unreferenced`, the default, if none does; undefined if it is
   * unknown.
   */
  nameOf?: (data: Named) => RowFacts | undefined | typeof UNREFERENCED
  /** Finds the unknown names in a row; by default, those that are not in its schema. */
  unknownIn?: (data: unknown) => readonly UnknownField[]
  /** Finds errors that only a comparison with other rows or the shop can find. */
  check?: (tx: Tx, checking: Checking) => Promise<void>
  apply?: (tx: Tx, applying: Applying) => Promise<void>
  /** Called when the rows of all kinds are applied. */
  finish?: (tx: Tx, applying: Applying) => Promise<void>
  /** The records of the shop as rows. @param discounts of the shop, as cart returned them */
  exported: (
    db: Database,
    discounts: readonly DiscountInput[],
  ) => AsyncIterable<unknown> | Promise<Iterable<unknown>> | Iterable<unknown>
}

interface RowKind<Data> extends Omit<Definition<Data>, 'schema' | 'factsOf' | 'nameOf' | 'unknownIn'> {
  type: ImportRowType
  /** Accepts a row that is already valid. */
  take: (data: Data, path: string, given?: { characters?: number } & Pick<ImportRow, 'cells' | 'keeps'>) => Reading
  /** Validates a row; it may have any number of errors. @param characters length of its text, when that is known */
  read: (data: unknown, path: string, characters?: number) => Reading[]
  /** Stages a row with errors. */
  reject: (data: unknown, path: string, issues: Issue[], given?: { cells?: ImportRow['cells'] }) => Reading[]
}

export function rowKind<Data>(type: ImportRowType, definition: Definition<Data>): RowKind<Data> {
  const { schema, factsOf = () => ({}), nameOf = () => UNREFERENCED, unknownIn, ...kind } = definition
  const reject: RowKind<Data>['reject'] = (data, path, issues, { cells } = {}) => {
    const facts = nameOf(Named.catch({ variants: [] }).parse(data))
    if (facts === UNREFERENCED) return [{ issues }]
    if (!facts) return issues.map((issue) => ({ issue }))
    return [{ issues, named: { type, path, data: {}, faulty: true, ...facts, ...(cells && { cells }) } }]
  }
  const take: RowKind<Data>['take'] = (data, path, { characters, ...given } = {}) => ({
    row: { type, path, data, ...factsOf(data), ...given },
    characters,
  })
  return {
    ...kind,
    type,
    take,
    reject,
    read(data, path, characters) {
      const parsed = schema.safeParse(data)
      const unknown = unknownFieldFaults(unknownIn?.(data) ?? compareFields(schema, data).unknown)
      if (parsed.success && unknown.length === 0)
        return [take(parsed.data, path, characters === undefined ? {} : { characters })]
      const issues = [...unknown, ...issuesOf(parsed.error)]
      return reject(
        data,
        path,
        issues.map((issue) => ({ ...issue, path: issue.path === '' ? path : `${path}.${issue.path}` })),
      )
    },
  }
}
