/** A record of a list that merchants put in order. */
export interface Ordered {
  slug: string
  position: number
}

export interface Move {
  slug: string
  position: number
}

/**
 * What to save so that a record stands at a place of its list: itself, and as many of those behind it as must make room.
 * They come last to first, so that the order stays the same until the record itself is saved.
 * @param list in its order; the record may be in it or come from another list
 * @param index counted without the record
 */
export function movesTo(list: readonly Ordered[], slug: string, index: number): Move[] {
  const others = list.filter((each) => each.slug !== slug)
  const before = others[index - 1]
  const behind = others.slice(index)
  let last = before ? before.position + 1 : (behind[0]?.position ?? 1) - 1
  const moves = [{ slug, position: last }]
  for (const each of behind) {
    if (each.position > last) break
    last += 1
    moves.unshift({ slug: each.slug, position: last })
  }
  return moves
}

/** The records after moves, in their order. */
export function movedBy<Each extends Ordered>(list: readonly Each[], moves: readonly Partial<Each>[]): Each[] {
  const bySlug = new Map(moves.map((move) => [move.slug, move]))
  return list
    .map((each) => ({ ...each, ...bySlug.get(each.slug) }))
    .toSorted((one, other) => one.position - other.position || (one.slug < other.slug ? -1 : 1))
}

/** Where the moved records stand now, to bring them back. */
export function movesBack(list: readonly Ordered[], moves: readonly Move[]): Move[] {
  return moves.flatMap(({ slug }) => {
    const before = list.find((each) => each.slug === slug)
    return before ? [{ slug, position: before.position }] : []
  })
}
