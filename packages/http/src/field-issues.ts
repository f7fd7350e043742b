/** What is wrong with a field of a request, as `detail.issues` has it. */
export interface FieldIssue {
  /** Keys that lead to the field, joined by dots. */
  path: string
  message: string
}

/** The limit of every whole number, beside which a field may have a limit of its own. */
const SAFE_LIMIT = `must be at most ${Number.MAX_SAFE_INTEGER}`

/**
 * The issues of a value that its schema rejected, each once. A number above the limit of all whole numbers is also
 * above that of its field: only the latter helps.
 */
export function fieldIssues(
  issues: readonly { path: readonly PropertyKey[]; message: string }[] | undefined,
): FieldIssue[] {
  const all = (issues ?? []).map(({ path, message }) => ({ path: path.map(String).join('.'), message }))
  const counts = new Map<string, number>()
  for (const { path } of all) counts.set(path, (counts.get(path) ?? 0) + 1)
  const shown = new Set<string>()
  return all.filter(({ path, message }) => {
    if (message === SAFE_LIMIT && (counts.get(path) ?? 0) > 1) return false
    const key = `${path}\n${message}`
    return !shown.has(key) && shown.add(key)
  })
}
