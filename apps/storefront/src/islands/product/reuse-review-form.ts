/** The link to write a review leads to the one that is being written: an empty form would replace it. */
export function reuseReviewForm(): void {
  document.addEventListener('htmx:before:request', (event) => {
    const { target } = event
    const form = document.querySelector('#review-form form')
    if (!form || !(target instanceof Element) || target.getAttribute('hx-target') !== '#review-form') return
    event.preventDefault()
    const field = form.querySelector<HTMLElement>('input:checked') ?? form.querySelector('input')
    field?.focus()
  })
}
