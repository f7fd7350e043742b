import { keep, read } from '../storage.ts'
import { requestNow } from '../request-now.ts'

const COUNTRY = 'store.country'

/** Loads when the goods would arrive, in the country that was chosen last. */
export function rememberCountry(): void {
  const form = document.querySelector<HTMLFormElement>('[data-delivery]')
  if (!form) return
  const select = form.querySelector('select')
  const country = read(COUNTRY)
  const isOffered = [...(select?.options ?? [])].some(({ value }) => value === country)
  if (select && country !== null && isOffered) select.value = country
  select?.addEventListener('change', () => keep(COUNTRY, select.value))
  requestNow(form, 'load-estimate')
}
