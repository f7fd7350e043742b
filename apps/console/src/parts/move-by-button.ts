import { flushSync } from 'react-dom'

/**
 * Moves an item of a list by one of its buttons, which keeps the focus: moving an element takes it away, and the next
 * press of a key needs it.
 * @param id of the element of the item
 */
export function moveByButton(id: string, way: 'earlier' | 'later', move: () => void): void {
  flushSync(move)
  const buttons = document.getElementById(id)?.querySelectorAll<HTMLElement>('[data-way]:enabled')
  const same = Array.from(buttons ?? []).find(({ dataset }) => dataset['way'] === way)
  ;(same ?? buttons?.[0])?.focus()
}
