import { chosenVariant, stateOfValue, type ScriptVariant, type Selection } from '../../pages/product/choice.ts'
import { showColor } from './gallery.ts'

/** Shows the price, the stock and the pictures of what is chosen, and puts it into the address. */
export function followChoice(): void {
  const form = document.querySelector<HTMLFormElement>('#buy')
  if (!form) return
  const variants = readVariants(form)
  const update = (isChange: boolean) => show(form, variants, isChange)
  form.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLInputElement && target.dataset['option'] !== undefined) update(true)
  })
  // Browsers choose again what was chosen before a reload, after the page is loaded.
  addEventListener('pageshow', () => update(false))
  update(false)
  // In place of the browser's own message: it is part of the page, and in its language.
  form.addEventListener(
    'invalid',
    (event) => {
      const { target } = event
      const fieldset = target instanceof HTMLInputElement ? target.closest('fieldset') : null
      if (!fieldset) return
      event.preventDefault()
      if (form.querySelector(':invalid:is(input)') === target && target instanceof HTMLInputElement) target.focus()
      setProblem(fieldset, true)
    },
    true,
  )
}

function readVariants(form: HTMLFormElement): ScriptVariant[] {
  const variants: ScriptVariant[] = JSON.parse(form.dataset['variants'] ?? '[]')
  return variants
}

function show(form: HTMLFormElement, variants: readonly ScriptVariant[], isChange: boolean): void {
  const selection = readSelection(form)
  const chosen = chosenVariant(variants, selection)
  const isComplete = selection.every((value) => value !== undefined)
  markValues(form, variants, selection)
  showPrice(form, chosen?.price ?? -1)
  const hint = form.querySelector('[data-shows-stock]')
  const text = chosen?.hint ?? (isComplete ? (form.dataset['absentHint'] ?? '') : '')
  if (hint && hint.textContent !== text) hint.textContent = text
  const isUnavailable = (isComplete && chosen?.available !== true) || !variants.some(({ available }) => available)
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-adds]')) {
    button.disabled = isUnavailable
    button.textContent = (isUnavailable ? form.dataset['unavailable'] : form.dataset['add']) ?? ''
  }
  if (chosen && isUnavailable) offerAlert(chosen.id)
  showColor(colorOf(form), chosen?.image, isChange)
  if (isChange) keepAddress(chosen)
}

function readSelection(form: HTMLFormElement): Selection {
  const selection: (string | undefined)[] = []
  for (const input of form.querySelectorAll<HTMLInputElement>('[data-option]')) {
    const option = Number(input.dataset['option'])
    if (input.type === 'hidden' || input.checked) selection[option] = input.value
    else selection[option] ??= undefined
  }
  return selection
}

/** A form for a mail when the variant is back. */
function offerAlert(id: string): void {
  const alert = document.querySelector<HTMLDetailsElement>('[data-alert]')
  const select = alert?.querySelector('select')
  if (!alert || !select) return
  alert.open = true
  select.value = id
}

/** Strikes through what is sold out. */
function markValues(form: HTMLFormElement, variants: readonly ScriptVariant[], selection: Selection): void {
  for (const input of form.querySelectorAll<HTMLInputElement>('input[type=radio][data-option]')) {
    const option = Number(input.dataset['option'])
    const state = stateOfValue(variants, selection, option, input.value)
    const label = input.closest('label')
    const text = label?.querySelector('[data-state-text]')
    const suffixes = { available: '', 'sold-out': form.dataset['soldOut'], absent: form.dataset['absent'] }
    if (label) label.dataset['state'] = state
    if (text) text.textContent = suffixes[state] ?? ''
    if (!input.checked) continue
    const shown = form.querySelector(`[data-shows-chosen="${option}"]`)
    if (shown) shown.textContent = input.value
    const fieldset = input.closest('fieldset')
    if (fieldset) setProblem(fieldset, false)
  }
}

function setProblem(fieldset: HTMLFieldSetElement, isShown: boolean): void {
  const problem = fieldset.querySelector<HTMLElement>('[data-problem]')
  if (problem) problem.hidden = !isShown
}

function showPrice(form: HTMLFormElement, index: number): void {
  const template = form.querySelector<HTMLTemplateElement>(`template[data-price="${index}"]`)
  if (!template) return
  for (const place of document.querySelectorAll('[data-shows-price]')) {
    // A screen reader reads the price again when it is replaced.
    if (place.innerHTML !== template.innerHTML) place.replaceChildren(template.content.cloneNode(true))
  }
}

function colorOf(form: HTMLFormElement): string | undefined {
  const first = form.querySelector<HTMLInputElement>('[data-option="0"]:is([type=hidden], :checked)')
  return first?.value
}

/** So that a link to the page shows the same. */
function keepAddress(chosen: ScriptVariant | undefined): void {
  const address = new URL(location.href)
  if (chosen) address.searchParams.set('variant', chosen.id)
  else address.searchParams.delete('variant')
  history.replaceState(history.state, '', address)
}
