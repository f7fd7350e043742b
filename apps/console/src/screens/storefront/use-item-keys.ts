import { useState } from 'react'
import { movedTo } from '../../parts/use-drag-order.ts'

let made = 0
const newKey = (): string => `item-${++made}`

/** Keys for the items of a list, which have no ids: a key moves with its item, so that an open item stays open. */
export function useItemKeys(count: number) {
  const [keys, setKeys] = useState<readonly string[]>(() => Array.from({ length: count }, newKey))
  // The list became another one: a change of someone else, or one that was undone.
  if (keys.length !== count) setKeys((before) => Array.from({ length: count }, (_, index) => before[index] ?? newKey()))
  return {
    all: keys,
    move: (from: number, to: number) => setKeys((before) => movedTo(before, from, to)),
    remove: (index: number) => setKeys((before) => before.toSpliced(index, 1)),
    /** @returns the key of a new last item */
    add: () => {
      const key = newKey()
      setKeys((before) => [...before, key])
      return key
    },
  }
}
