import htmx from 'htmx.org'

/**
 * Has an element make its request, even before htmx has processed the page.
 * @param event the `hx-trigger` of the element
 */
export function requestNow(element: Element, event: string): void {
  htmx.process(element)
  htmx.trigger(element, event)
}
