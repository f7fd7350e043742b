const FILTERS = 'filters'

/** Sends the filters when one of them changes, and updates the form and the counts after new results. */
export function improveLists(): void {
  document.addEventListener('formdata', ({ target, formData }) => {
    if (target instanceof HTMLFormElement && target.id === FILTERS) tidy(formData)
  })
  document.addEventListener('change', ({ target }) => {
    const isField = target instanceof HTMLInputElement || target instanceof HTMLSelectElement
    if (isField && target.form?.id === FILTERS) target.form.requestSubmit()
  })
  // A sheet that stayed open would cover what has the focus.
  document.addEventListener('focusout', ({ target, relatedTarget }) => {
    const sheet = target instanceof Element ? target.closest<HTMLElement>(`#${FILTERS}:popover-open`) : null
    if (sheet && relatedTarget instanceof Node && !sheet.contains(relatedTarget)) sheet.hidePopover()
  })
  // On all other pages htmx would replace the whole page, by a part of it or by one whose scripts do not run again.
  document.addEventListener('htmx:before:history:restore', (event) => {
    if (!document.querySelector('#results')) event.preventDefault()
  })
  followResults()
}

/** One address for one list: no empty fields, and the values of one filter joined by commas. */
function tidy(data: FormData): void {
  for (const name of new Set(data.keys())) {
    const values = data.getAll(name).flatMap((value) => (typeof value === 'string' && value !== '' ? [value] : []))
    data.delete(name)
    if (values.length > 0) data.set(name, values.join(','))
  }
}

function followResults(): void {
  let shown = document.querySelector('#results')
  let cards = 0
  document.addEventListener('htmx:before:swap', () => {
    cards = document.querySelectorAll('#grid > li:not(#more)').length
  })
  document.addEventListener('htmx:after:swap', (event: CustomEventInit<{ ctx: { sourceElement?: Element } }>) => {
    const results = document.querySelector<HTMLElement>('#results')
    if (!results) return
    if (results !== shown || isRestored(results)) {
      shown = results
      describe(results)
      // A link removed a filter, or the browser went back; otherwise the form is ahead of the results.
      if (event.detail?.ctx.sourceElement?.id !== FILTERS) fillForm()
      if (document.activeElement === document.body) results.focus({ preventScroll: true })
      if (results.getBoundingClientRect().top < 0) results.scrollIntoView()
    } else if (document.activeElement === document.body) {
      // The button for more is gone: the first of what it added comes next.
      document.querySelectorAll<HTMLElement>('#grid > li')[cards]?.querySelector('a')?.focus({ preventScroll: true })
    }
  })
}

const isRestored = ({ dataset }: HTMLElement): boolean => text('#list-count') !== dataset['count']

const text = (selector: string): string | undefined => document.querySelector(selector)?.textContent ?? undefined

function describe({ dataset }: HTMLElement): void {
  write('#list-count', dataset['count'])
  write('#list-chosen', dataset['chosen'])
  write('.filters-done', dataset['show'])
}

function write(selector: string, text = ''): void {
  const place = document.querySelector(selector)
  if (place) place.textContent = text
}

/** Shows the filters of the address in the form. */
function fillForm(): void {
  const form = document.querySelector<HTMLFormElement>(`#${FILTERS}`)
  const query = new URLSearchParams(location.search)
  for (const field of form?.elements ?? []) {
    if (field instanceof HTMLInputElement && field.type === 'checkbox') {
      field.checked = `,${query.getAll(field.name).join(',')},`.includes(`,${field.value},`)
    } else if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) {
      field.value = query.get(field.name) ?? ''
    }
  }
}
