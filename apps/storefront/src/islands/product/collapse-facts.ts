/** On phones all groups of facts but the first are folded. */
export function collapseFacts(): void {
  if (matchMedia('(min-width: 60rem)').matches) return
  for (const group of [...document.querySelectorAll<HTMLDetailsElement>('[data-folds]')].slice(1)) group.open = false
}
