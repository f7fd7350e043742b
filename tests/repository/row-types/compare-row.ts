import { join } from 'node:path'
import { SymbolFlags, TypeFlags, type Checker, type Project, type Type } from 'typescript/unstable/sync'
import { isInterfaceDeclaration } from 'typescript/unstable/ast'
import type { Client } from 'pg'
import { typeOfValue } from '@storefront/tools/schema-files'
import { repository } from '../source-files.ts'
import type { DescribedColumn } from './describe-statement.ts'

/** @returns a comparison of a declared row with the columns of a statement, which says what does not fit */
export async function rowComparison(
  client: Client,
  project: Project,
): Promise<(row: Type, columns: readonly DescribedColumn[], text: string) => string[]> {
  const { checker } = project
  const types = await client.query<{ oid: number; name: string }>('select oid, typname as name from pg_type')
  const typeNames = new Map(types.rows.map(({ oid, name }) => [oid, name]))
  const stored = await findStoredColumns(client)

  function compare(row: Type, columns: readonly DescribedColumn[], text: string): string[] {
    const { declared, required } = declaredColumns(checker, row)
    const returned = new Set(columns.map(({ name }) => name))
    return [
      ...[...required].filter((name) => !returned.has(name)).map((name) => `${name} is not returned`),
      ...columns.flatMap((column) => {
        const alternatives = declared.get(column.name)
        if (alternatives === undefined) return [`${column.name} is not declared`]
        const { fits, name } = valueOf(column, text)
        if (alternatives.some(fits)) return []
        const names = alternatives.map((type) => checker.typeToString(type)).join(' | ')
        return [`${column.name} is ${name()}, but declared as ${names}`]
      }),
    ]
  }

  /** The values of a column, as far as PostgreSQL knows: of an expression it does not know whether it can be null. */
  function valueOf(column: DescribedColumn, text: string): { fits: (declared: Type) => boolean; name: () => string } {
    const source = stored.get(`${column.tableID}.${column.columnID}`)
    const isNullable = source !== undefined && canBeNull(source, text)
    const kind = typeOfValue(typeNames.get(column.dataTypeID) ?? '')
    const stores = source && generatedType(project, source)
    const type = stores && !isUnknown(stores) ? checker.getNonNullableType(stores) : undefined
    return {
      fits: (declared) =>
        (type ? checker.isTypeAssignableTo(type, declared) : isOfKind(checker, declared, kind)) &&
        (!isNullable || checker.isTypeAssignableTo(checker.getNullType(), declared)),
      name: () => `${type ? checker.typeToString(type) : kind}${isNullable ? ' | null' : ''}`,
    }
  }

  return compare
}

/** The types that the alternatives of a row declare for each column, and the columns that are not optional. */
function declaredColumns(checker: Checker, row: Type): { declared: Map<string, Type[]>; required: Set<string> } {
  const declared = new Map<string, Type[]>()
  const required = new Set<string>()
  for (const member of row.isUnionType() ? row.getTypes() : [row]) {
    for (const property of checker.getPropertiesOfType(member)) {
      if ((property.flags & SymbolFlags.Optional) === 0) required.add(property.name)
      declared.set(property.name, [
        ...(declared.get(property.name) ?? []),
        checker.getTypeOfSymbol(property) ?? checker.getNeverType(),
      ])
    }
  }
  return { declared, required }
}

/** Whether a type has values of this kind only, and null. */
function isOfKind(checker: Checker, declared: Type, kind: string): boolean {
  const type = checker.getNonNullableType(declared) ?? declared
  if (kind === 'unknown' || isUnknown(type)) return true
  if (kind.endsWith('[]')) {
    const [element] = type.isTypeReference() && checker.isArrayLikeType(type) ? checker.getTypeArguments(type) : []
    return element !== undefined && isOfKind(checker, element, kind.slice(0, -'[]'.length))
  }
  if (kind === 'string') return checker.isTypeAssignableTo(type, checker.getStringType())
  if (kind === 'number') return checker.isTypeAssignableTo(type, checker.getNumberType())
  if (kind === 'boolean') return checker.isTypeAssignableTo(type, checker.getBooleanType())
  return type.getSymbol()?.name === kind
}

function isUnknown({ flags }: Type): boolean {
  return (flags & TypeFlags.AnyOrUnknown) !== 0
}

interface StoredColumn {
  schema: string
  table: string
  column: string
  isNullable: boolean
}

/** Whether a stored column can be null in a result: an outer join makes it so, and a condition of the statement not. */
function canBeNull({ table, column, isNullable }: StoredColumn, text: string): boolean {
  const isOptional = isNullable || new RegExp(`(left|full) join ${table}\\b`).test(text)
  return isOptional && !new RegExp(`\\b${column} is not null`).test(text)
}

/** The columns of all tables, by the numbers with which PostgreSQL describes them. */
async function findStoredColumns(client: Client): Promise<Map<string, StoredColumn>> {
  const { rows } = await client.query<StoredColumn & { id: string }>(
    `select c.oid || '.' || a.attnum as id, n.nspname as schema, c.relname as "table", a.attname as "column",
       not a.attnotnull as "isNullable"
     from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
     where c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped`,
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/** The type of a column in tables.ts of its service; undefined in tables of packages, which are not generated. */
function generatedType({ program, checker }: Project, { schema, table, column }: StoredColumn): Type | undefined {
  const tables = program
    .getSourceFile(join(repository, 'services', schema, 'src/tables.ts'))
    ?.statements.find(isInterfaceDeclaration)
  const symbol = tables && checker.getSymbolAtLocation(tables.name)
  const propertyOf = (type: Type | undefined, name: string) => {
    const property = type && checker.getPropertyOfType(type, name)
    return property && checker.getTypeOfSymbol(property)
  }
  const type = propertyOf(propertyOf(symbol && checker.getDeclaredTypeOfSymbol(symbol), table), column)
  return propertyOf(type, '__select__') ?? type
}
