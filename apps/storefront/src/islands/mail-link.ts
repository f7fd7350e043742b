/** Puts the token of a link in a mail into the form of its page. Only the fragment has it, which no server gets. */
export function readMailLink(): void {
  const field = document.querySelector<HTMLInputElement>('[data-link-token]')
  if (!field) return
  const token = new URLSearchParams(location.hash.slice(1)).get('token')
  // Removed from the address bar and the history, where others could see or share it.
  history.replaceState(null, '', location.pathname)
  field.value = token ?? ''
  if (token === null) {
    if (field.form) field.form.hidden = true
    document.querySelector('[data-link-missing]')?.removeAttribute('hidden')
  }
  // Another link to this page, opened in the same tab, changes only the fragment.
  addEventListener('hashchange', () => location.reload())
}
