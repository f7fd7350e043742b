import type { Named } from './backup.queries.ts'

/**
 * Puts tables in an order in which each can be filled: after those that its rows refer to. PostgreSQL checks references
 * within one table when all its rows are written.
 * @throws Error when tables refer to each other in a cycle, because none of them can be first
 */
export function inOrderOfReferences<Table extends Named>(
  tables: readonly Table[],
  references: readonly { from: Named; to: Named }[],
): Table[] {
  const ordered: Table[] = []
  let waiting = [...tables]
  while (waiting.length > 0) {
    const waits = (table: Table): boolean =>
      references.some(
        ({ from, to }) => isSame(from, table) && !isSame(to, table) && waiting.some((other) => isSame(to, other)),
      )
    const ready = waiting.filter((table) => !waits(table))
    if (ready.length === 0)
      throw new Error(`tables refer to each other in a cycle: ${waiting.map(({ name }) => name).join(', ')}`)
    ordered.push(...ready)
    waiting = waiting.filter((table) => !ready.includes(table))
  }
  return ordered
}

function isSame(one: Named, other: Named): boolean {
  return one.schema === other.schema && one.name === other.name
}
