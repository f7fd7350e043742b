import { useEffect, useEffectEvent, useId, useRef, useState, type PointerEvent } from 'react'

export type Zone = 'before' | 'inside' | 'after'

/** The item under the pointer, and where the dragged item would go relative to it. */
export interface Drop {
  key: string
  zone: Zone
}

interface DragRules {
  /**
   * Where an item may go; undefined if nowhere at this one.
   * @param share of the height of the other item that is above the pointer, from 0 to 1
   */
  zoneAt: (dragged: string, over: string, share: number) => Zone | undefined
  onDrop: (dragged: string, drop: Drop) => void
}

export interface Drag {
  /** For the element of an item. */
  itemProps: (key: string) => {
    'data-drag-list': string
    'data-drag-key': string
    'data-dragged': true | undefined
    'data-drop': Zone | undefined
  }
  /** For the handle of an item. A finger that begins on it scrolls the page unless its style has `touch-action: none`. */
  handleProps: (
    key: string,
  ) => Record<'onPointerDown' | 'onPointerMove' | 'onPointerUp', (event: PointerEvent) => void> &
    Record<'onPointerCancel' | 'onLostPointerCapture', () => void>
}

/** Items that are dragged by mouse, pen or finger. They stay where they are until they are dropped; Escape cancels. */
export function useDrag({ zoneAt, onDrop }: DragRules): Drag {
  const list = useId()
  const [dragged, setDragged] = useState<string>()
  const [drop, setDrop] = useState<Drop>()
  const pointer = useRef({ start: 0, now: 0 })

  function end(): void {
    setDragged(undefined)
    setDrop(undefined)
  }

  function dropNow(): Drop | undefined {
    const found = itemAt(list, pointer.current.now)
    const zone = found && dragged !== undefined ? zoneAt(dragged, found.key, found.share) : undefined
    return found && zone && { key: found.key, zone }
  }

  const follow = useEffectEvent(() => {
    scrollNearEdge(pointer.current)
    const found = dropNow()
    if (found?.key !== drop?.key || found?.zone !== drop?.zone) setDrop(found)
  })

  useEffect(() => (dragged === undefined ? undefined : followPointer(follow, end)), [dragged])

  return {
    itemProps: (key) => ({
      'data-drag-list': list,
      'data-drag-key': key,
      'data-dragged': dragged === key || undefined,
      'data-drop': drop?.key === key ? drop.zone : undefined,
    }),
    handleProps: (key) => ({
      onPointerDown(event) {
        if (event.button !== 0 || !event.isPrimary) return
        event.currentTarget.setPointerCapture(event.pointerId)
        pointer.current = { start: event.clientY, now: event.clientY }
        setDragged(key)
      },
      onPointerMove({ clientY }) {
        pointer.current.now = clientY
      },
      onPointerUp({ clientY }) {
        if (dragged === undefined) return
        pointer.current.now = clientY
        const found = dropNow()
        end()
        if (found) onDrop(dragged, found)
      },
      // The browser scrolls instead, or another window came to the front.
      onPointerCancel: end,
      onLostPointerCapture: end,
    }),
  }
}

/** Follows in each frame, until Escape. @returns ends it */
function followPointer(follow: () => void, onEscape: () => void): () => void {
  let frame = 0
  function next(): void {
    follow()
    frame = requestAnimationFrame(next)
  }
  const cancel = ({ key }: KeyboardEvent): void => {
    if (key === 'Escape') onEscape()
  }
  next()
  globalThis.addEventListener('keydown', cancel)
  return () => {
    cancelAnimationFrame(frame)
    globalThis.removeEventListener('keydown', cancel)
  }
}

/** Between two items the nearer one counts; farther than this from all of them, none does. */
const NEAR_PX = 24

function itemAt(list: string, y: number): { key: string; share: number } | undefined {
  let nearest: { key: string; share: number } | undefined
  let least = NEAR_PX
  for (const item of document.querySelectorAll<HTMLElement>(`[data-drag-list="${list}"]`)) {
    const { top, bottom, height } = item.getBoundingClientRect()
    const away = Math.max(top - y, y - bottom, 0)
    if (away >= least) continue
    least = away
    nearest = { key: item.dataset['dragKey'] ?? '', share: Math.min(1, Math.max(0, (y - top) / height)) }
  }
  return nearest
}

const EDGE_PX = 72
const STEP_PX = 10

/** Scrolls while the pointer is near an edge. An item grabbed there scrolls the page only once it moves to the edge. */
function scrollNearEdge({ start, now }: { start: number; now: number }): void {
  if (now < EDGE_PX && now < start) globalThis.scrollBy(0, -STEP_PX)
  if (now > globalThis.innerHeight - EDGE_PX && now > start) globalThis.scrollBy(0, STEP_PX)
}
