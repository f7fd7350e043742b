import { useState, type DragEvent, type HTMLAttributes } from 'react'

/** Rows that are dragged to another place: they move while the pointer is over them. */
export function useDragOrder(move: (from: number, to: number) => void): (index: number) => HTMLAttributes<HTMLElement> {
  const [dragged, setDragged] = useState<number>()
  return (index) => ({
    draggable: true,
    onDragStart: (event: DragEvent) => {
      event.dataTransfer.effectAllowed = 'move'
      // Firefox drags nothing without data.
      event.dataTransfer.setData('text/plain', '')
      setDragged(index)
    },
    onDragOver: (event: DragEvent) => {
      if (dragged === undefined) return
      event.preventDefault()
      if (dragged === index) return
      move(dragged, index)
      setDragged(index)
    },
    onDrop: (event: DragEvent) => event.preventDefault(),
    onDragEnd: () => setDragged(undefined),
  })
}

/** The list with one of its items at another place. */
export function movedTo<Item>(items: readonly Item[], from: number, to: number): Item[] {
  const moved = items.slice(from, from + 1)
  return items.toSpliced(from, 1).toSpliced(to, 0, ...moved)
}
