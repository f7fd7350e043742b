import { join } from 'node:path'
import { API, TypeFlags, type Project, type Type } from 'typescript/unstable/sync'
import { isTaggedTemplateExpression, type Node, type TaggedTemplateExpression } from 'typescript/unstable/ast'
import { Client } from 'pg'
import { LITTLE_COLLECTION } from '../../support/little-collection.ts'
import { repository } from '../source-files.ts'
import { rowComparison } from './compare-row.ts'
import { describeStatement } from './describe-statement.ts'
import { templateText } from './template-text.ts'

/**
 * The compiler settings of the repository, without the tests, whose types would take as long as those of all sources.
 */
const SOURCES = join(import.meta.dirname, 'tsconfig.sources.json')

/** The schema in which statements of packages are described: it has every table that they use. */
const SCHEMA_OF_PACKAGES = 'orders'

/**
 * Compares the type that each `sql<Row>` statement declares for its rows with the columns that PostgreSQL describes.
 * @param url of a database with the schema of every service
 * @returns by statement, as `path:number`, what does not fit
 */
export async function checkRowTypes(url: string, paths: readonly string[]): Promise<Map<string, string[]>> {
  const api = startCompiler()
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const [project] = api.updateSnapshot({ openProjects: [SOURCES] }).getProjects()
    if (project === undefined) throw new Error(`${SOURCES} has no project`)
    const compare = await rowComparison(client, project)
    const found = new Map<string, string[]>()
    for (const path of paths) {
      const schema = /^services\/(\w+)\//.exec(path)?.[1] ?? SCHEMA_OF_PACKAGES
      await client.query(`select set_config('search_path', $1 || ', public', false)`, [schema])
      for (const { line, template, row, isExecuted } of statementsOf(project, path)) {
        if (!isExecuted) {
          if (!isScalar(row)) found.set(`${path}:${line}`, ['is not executed where it is written'])
          continue
        }
        try {
          const text = templateText(project, template)
          found.set(`${path}:${line}`, compare(row, await describeStatement(client, text), text))
        } catch (error) {
          found.set(`${path}:${line}`, [error instanceof Error ? error.message : String(error)])
        }
      }
    }
    return found
  } finally {
    api.close()
    await client.end()
  }
}

/** The compiler has no option for its environment: it gets that of this process. */
function startCompiler(): API {
  const before = process.env
  process.env = { ...before, ...LITTLE_COLLECTION }
  try {
    return new API({ cwd: repository })
  } finally {
    process.env = before
  }
}

interface Statement {
  line: number
  template: TaggedTemplateExpression
  row: Type
  /** Otherwise it is a part of another statement. */
  isExecuted: boolean
}

/** The templates with a type of their own. */
function statementsOf({ program, checker }: Project, path: string): Statement[] {
  const file = program.getSourceFile(join(repository, path))
  if (file === undefined) throw new Error(`${path} does not belong to the project`)
  const statements: Statement[] = []
  const visit = (node: Node): void => {
    node.forEachChild(visit)
    if (!isTaggedTemplateExpression(node) || node.tag.getText() !== 'sql') return
    const [declared] = node.typeArguments ?? []
    const row = declared && checker.getTypeFromTypeNode(declared)
    const line = file.text.slice(0, node.getStart()).split('\n').length
    if (row) statements.push({ line, template: node, row, isExecuted: node.parent.getText().endsWith('`.execute') })
  }
  visit(file)
  return statements
}

/** Whether it is the type of a value, which kysely's builder puts into a row, and not of a row. */
function isScalar(type: Type): boolean {
  const isPrimitive = (type.flags & (TypeFlags.String | TypeFlags.Number | TypeFlags.BooleanLike)) !== 0
  return isPrimitive || ['Date', 'Array'].includes(type.getSymbol()?.name ?? '')
}
