/** Suggestions are requested only when the shopper has not typed for this long. */
const PAUSE_MS = 120
/** Responses that are kept: going back a letter shows what was there. */
const KEPT = 30

/** Suggests while a shopper types in the search field of the header, which is a plain form without this. */
export function suggest(): void {
  const form = document.querySelector<HTMLFormElement>('[data-suggest]')
  const field = form?.querySelector<HTMLInputElement>('input[type=search]')
  const list = form?.querySelector<HTMLElement>('[role=listbox]')
  const status = form?.querySelector<HTMLElement>('[role=status]')
  if (form && field && list && status) new SearchField({ form, field, list, status }).listen()
}

interface Parts {
  form: HTMLFormElement
  field: HTMLInputElement
  list: HTMLElement
  /** Read out when it changes. */
  status: HTMLElement
}

class SearchField {
  readonly #parts: Parts
  readonly #kept = new Map<string, string>()
  #timer = 0
  #request: AbortController | undefined

  constructor(parts: Parts) {
    this.#parts = parts
  }

  listen(): void {
    const { form, field, list } = this.#parts
    field.setAttribute('role', 'combobox')
    field.addEventListener('input', () => this.#type())
    field.addEventListener('keydown', (event) => this.#press(event))
    form.addEventListener('submit', (event) => this.#submit(event))
    form.addEventListener('focusout', ({ relatedTarget }) => {
      if (!(relatedTarget instanceof Node) || !form.contains(relatedTarget)) this.#leave()
    })
    // A press on an option must not take the focus from the field, which would close the list before the click.
    list.addEventListener('mousedown', (event) => event.preventDefault())
  }

  /** On phones the button first shows the field. */
  #submit(event: SubmitEvent): void {
    const { form, field } = this.#parts
    if (field.value.trim() !== '') return
    event.preventDefault()
    form.classList.add('is-open')
    field.focus()
  }

  #leave(): void {
    this.#parts.form.classList.remove('is-open')
    this.#close()
  }

  #type(): void {
    clearTimeout(this.#timer)
    this.#request?.abort()
    const typed = this.#parts.field.value.trim()
    if (typed === '') return this.#close()
    const known = this.#kept.get(typed)
    if (known !== undefined) return this.#show(known)
    this.#timer = window.setTimeout(() => void this.#load(typed), PAUSE_MS)
  }

  async #load(typed: string): Promise<void> {
    this.#request = new AbortController()
    const { signal } = this.#request
    try {
      const address = `/search/suggest?${new URLSearchParams({ q: typed }).toString()}`
      const response = await fetch(address, { signal, headers: { 'HX-Request': 'true' } })
      if (!response.ok) return this.#close()
      const options = await response.text()
      if (this.#kept.size >= KEPT) this.#kept.clear()
      this.#kept.set(typed, options)
      if (!signal.aborted) this.#show(options)
    } catch {
      // Aborted, or no network: the field still searches.
      if (!signal.aborted) this.#close()
    }
  }

  #show(options: string): void {
    const { field, list, status } = this.#parts
    list.innerHTML = options
    if (this.#options().length === 0 || document.activeElement !== field) return this.#close()
    list.hidden = false
    field.setAttribute('aria-expanded', 'true')
    this.#choose(undefined)
    status.textContent = list.querySelector<HTMLElement>('[data-found]')?.dataset['found'] ?? ''
  }

  #close(): void {
    clearTimeout(this.#timer)
    this.#request?.abort()
    const { field, list, status } = this.#parts
    list.hidden = true
    status.textContent = ''
    field.setAttribute('aria-expanded', 'false')
    this.#choose(undefined)
  }

  #press(event: KeyboardEvent): void {
    const { field, list } = this.#parts
    if (event.isComposing) return
    if (event.key === 'Escape') {
      if (list.hidden) return this.#leave()
      // The first press closes the list, and keeps what was typed.
      event.preventDefault()
      return this.#close()
    }
    if (list.hidden) {
      if (event.key === 'ArrowDown' && field.value.trim() !== '') this.#type()
      return
    }
    const options = this.#options()
    const at = options.findIndex((option) => option.ariaSelected === 'true')
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      // One place before the first option is the field itself.
      const places = options.length + 1
      const next = (at + 1 + (event.key === 'ArrowDown' ? 1 : -1) + places) % places
      this.#choose(options[next - 1])
    } else if (event.key === 'Enter' && at >= 0) {
      event.preventDefault()
      options[at]?.click()
    }
  }

  #options(): HTMLElement[] {
    return [...this.#parts.list.querySelectorAll<HTMLElement>('[role=option]')]
  }

  #choose(chosen: HTMLElement | undefined): void {
    for (const option of this.#options()) option.ariaSelected = String(option === chosen)
    chosen?.scrollIntoView({ block: 'nearest' })
    this.#parts.field.setAttribute('aria-activedescendant', chosen?.id ?? '')
  }
}
