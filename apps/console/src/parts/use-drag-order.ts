import { useDrag, type Drag } from './use-drag.ts'

/**
 * Items of a list that are dragged to another place: one that is dropped on another takes its place.
 * @param keys of the items in their order
 */
export function useDragOrder(keys: readonly string[], move: (key: string, to: number) => void): Drag {
  return useDrag({
    zoneAt(dragged, over) {
      if (dragged === over) return undefined
      return keys.indexOf(dragged) < keys.indexOf(over) ? 'after' : 'before'
    },
    onDrop: (dragged, { key }) => move(dragged, keys.indexOf(key)),
  })
}

/** The list with one of its items at another place. */
export function movedTo<Item>(items: readonly Item[], from: number, to: number): Item[] {
  const moved = items.slice(from, from + 1)
  return items.toSpliced(from, 1).toSpliced(to, 0, ...moved)
}
