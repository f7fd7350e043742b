/** A feature card or an assurance: content, perhaps under an id. */
export interface Card {
  id?: string | undefined
}
export type SavedCard = Card & { id: string }

interface CardPlan<Given> {
  /** The cards to be saved, in the order of the file. Those without an id are new. */
  saves: Given[]
  /** Ids of stored cards that match one of the file. Replacing deletes the others. */
  keptIds: Set<string>
}

/**
 * Plans what an import does with the cards of a store. A card with an id is the one with that id, even if another has
 * the same text: merchants may have two, and an export of both must restore both. A card without an id is the one with
 * the same text, so that a file can be imported again.
 * @param given the last card with an id is used
 * @param mode a merging import matches a card under an unknown id with a stored one that has the same text and that the
 * file does not name, so that the store does not get the same card twice
 */
export function planCards<Given extends Card>(
  stored: readonly SavedCard[],
  given: readonly Given[],
  mode: 'merge' | 'replace',
): CardPlan<Given> {
  const byId = new Map(stored.map((card) => [card.id, contentOf(card)]))
  const named = new Map(given.flatMap((card): [string, Given][] => (card.id === undefined ? [] : [[card.id, card]])))
  const unnamed = stored.filter(({ id }) => !named.has(id))
  const contents = new Set([...named.values()].map(contentOf))
  const keptIds = new Set<string>()
  const saved = new Set<Given>()

  /** Keeps a stored card with the same text that matches no other of the file. @returns whether there is one */
  const keepTwin = (content: string): boolean => {
    const twin = unnamed.find((card) => !keptIds.has(card.id) && contentOf(card) === content)
    if (twin) keptIds.add(twin.id)
    return twin !== undefined
  }
  for (const [id, card] of named) {
    const content = contentOf(card)
    if (byId.has(id)) keptIds.add(id)
    if (byId.get(id) === content) continue
    if (mode === 'merge' && !byId.has(id) && keepTwin(content)) continue
    saved.add(card)
  }
  for (const card of given.filter(({ id }) => id === undefined)) {
    const content = contentOf(card)
    if (contents.has(content)) continue
    contents.add(content)
    if (!keepTwin(content)) saved.add(card)
  }
  return { saves: given.filter((card) => saved.has(card)), keptIds }
}

/** The same for given data and for stored data, whose fields may be in another order. */
function contentOf(card: Card): string {
  const fields = Object.entries(card).filter(([name, value]) => name !== 'id' && value !== undefined && value !== null)
  return JSON.stringify(fields.toSorted(([one], [other]) => (one < other ? -1 : 1)))
}
