/** Opens the size chart over the page. */
export function openChart(): void {
  for (const link of document.querySelectorAll<HTMLElement>('[data-opens]')) {
    link.addEventListener('click', (event) => {
      const dialog = document.querySelector<HTMLDialogElement>(`#${link.dataset['opens']}`)
      if (!dialog) return
      event.preventDefault()
      dialog.showModal()
    })
  }
}
