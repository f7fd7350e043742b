import { requestNow } from './request-now.ts'

/** Opens the drawer of the bag, and closes dialogs by their buttons and by a click beside them. */
export function openDialogs(): void {
  document.addEventListener('click', (event) => {
    const { target } = event
    if (!(target instanceof Element)) return
    if (target.closest('[data-opens-bag]') && opensHere(event) && !showsBag()) {
      event.preventDefault()
      openBag()
    } else if (target.closest('[data-closes-dialog]') || target instanceof HTMLDialogElement) {
      target.closest('dialog')?.close()
    }
  })
  // The response to adding an item is the bag, which is then opened.
  document.addEventListener('htmx:after:swap', () => {
    const bag = document.querySelector<HTMLDialogElement>('#bag')
    if (bag && !bag.open && document.querySelector('#bag-contents .bag .notice')) bag.showModal()
  })
  // A notice that stayed would open the drawer again after the response to anything else.
  document.addEventListener('close', removeNotices, { capture: true })
}

/** A change in the drawer would leave the lines and the total of the page behind it as they were. */
function showsBag(): boolean {
  return document.querySelector('#bag-page, #checkout') !== null
}

function removeNotices({ target }: Event): void {
  if (!(target instanceof HTMLDialogElement) || target.id !== 'bag') return
  for (const notice of target.querySelectorAll('.notice')) notice.remove()
}

function openBag(): void {
  const bag = document.querySelector<HTMLDialogElement>('#bag')
  const contents = document.querySelector('#bag-contents')
  if (!bag || !contents) return
  bag.showModal()
  requestNow(contents, 'load-bag')
}

/** Whether a click opens its link in this tab: with a modifier key the browser opens another one. */
function opensHere(event: MouseEvent): boolean {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
}
