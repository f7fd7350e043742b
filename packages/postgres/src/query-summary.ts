/** Statements whose summary is cached; as many as a connection keeps prepared. */
const REMEMBERED = 400

const FIRST_TABLE = /\b(insert\s+into|delete\s+from|update|select\b[^]*?\bfrom)\s+(?:only\s+)?"?([a-z_][a-z0-9_]*)"?/i

const summaries = new Map<string, string>()

/** The first verb of a statement and its table, such as `SELECT orders`: few enough values for the name of a span. */
export function querySummary(text: string): string {
  const known = summaries.get(text)
  if (known !== undefined) return known
  const summary = summarize(text)
  if (summaries.size < REMEMBERED) summaries.set(text, summary)
  return summary
}

function summarize(text: string): string {
  const found = FIRST_TABLE.exec(text)
  const [, clause, table] = found ?? []
  if (clause === undefined || table === undefined) return firstWord(text)
  return `${firstWord(clause)} ${table}`
}

function firstWord(text: string): string {
  return /[a-z]+/i.exec(text)?.[0].toUpperCase() ?? 'QUERY'
}
