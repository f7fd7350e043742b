import { BAG, SESSION } from './keys.ts'
import { read } from './storage.ts'

/** Scripts wait this long for what is seen first. */
const MAX_WAIT_MS = 2000
/** After this the page works as one without scripts. */
const GIVE_UP_MS = 15_000

/** In the storage of this tab: the typeface is there already. */
const TYPEFACE = 'typeface'

// This script is part of each page, and runs before the browser paints it. It loads the typeface and the other scripts
// after what is seen first, the pictures or the bag, which would wait for them on a slow network. What a shopper does
// meanwhile is repeated when the scripts are loaded: a form that is sent without them would fill a second bag, that of
// the cookie.
const { documentElement, head, currentScript } = document
const { classList } = documentElement
const { modules = '', waits, awaitsBag } = currentScript?.dataset ?? {}
const types = ['click', 'submit', 'change', 'input']
const held = new Map<EventTarget, Event>()
let isLoading = false

classList.add('has-script')
for (const type of types) addEventListener(type, hold, true)
// The next frame paints what has arrived, and has ended when the frame after it begins.
const afterPaint = () => requestAnimationFrame(() => requestAnimationFrame(load))
if (awaitsBag !== undefined) {
  if (read(BAG) === null && read(SESSION) === null) classList.add('no-bag')
  addEventListener('own-contents', afterPaint)
} else if (waits !== undefined) {
  addEventListener('load', () => new PerformanceObserver(afterPaint).observe({ type: 'paint', buffered: true }))
} else load()
setTimeout(load, MAX_WAIT_MS)
try {
  if (sessionStorage[TYPEFACE]) classList.add(TYPEFACE)
  sessionStorage[TYPEFACE] = 1
} catch {
  // Private windows of some browsers have no storage.
}

function load(): void {
  if (isLoading) return
  isLoading = true
  const [src = '', ...imports] = modules.split(' ')
  const links = imports.map((href) => Object.assign(document.createElement('link'), { rel: 'modulepreload', href }))
  // One script, which imports the others: htmx processes the page as soon as a script has ended.
  const script = Object.assign(document.createElement('script'), { type: 'module', src })
  // After htmx, which processes the page in a task of its own.
  script.addEventListener('load', () => setTimeout(finish))
  script.addEventListener('error', giveUp)
  head.append(...links.toReversed(), script)
  setTimeout(giveUp, GIVE_UP_MS)
}

function finish(): void {
  classList.add('has-script', 'is-ready')
  release()
}

function giveUp(): void {
  if (classList.contains('is-ready')) return
  classList.remove('has-script')
  release()
}

function hold(event: Event): void {
  const target =
    event.type === 'click' && event.target instanceof Element
      ? // Links and what browsers open themselves need no script.
        event.target.closest('button:not([popovertarget])')
      : event.target
  if (!target) return
  // The browser shows at once what is typed or chosen; only the listeners are called later.
  event.stopImmediatePropagation()
  event.preventDefault()
  held.set(target, event)
}

function release(): void {
  classList.add(TYPEFACE)
  for (const type of types) removeEventListener(type, hold, true)
  for (const [target, { type }] of held) {
    if (target instanceof HTMLButtonElement) target.click()
    else if (type === 'submit' && target instanceof HTMLFormElement) target.requestSubmit()
    else target.dispatchEvent(new Event(type, { bubbles: true }))
  }
  held.clear()
}
