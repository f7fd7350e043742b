interface Replayed {
  sent: ReadonlySet<string>
  /** Why each of the others was not sent. */
  failures: readonly unknown[]
}

/** Replays one after the other: one that the shop does not send again, such as a test, does not stop the others. */
export async function replayEach(
  ids: ReadonlySet<string>,
  replay: (id: string) => Promise<unknown>,
  onTried: (tried: number) => void,
): Promise<Replayed> {
  const sent = new Set<string>()
  const failures: unknown[] = []
  for (const id of ids) {
    try {
      await replay(id)
      sent.add(id)
    } catch (error) {
      failures.push(error)
    }
    onTried(sent.size + failures.length)
  }
  return { sent, failures }
}
