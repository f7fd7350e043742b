/** Shows the bar with the button while the button of the form is above what is seen. */
export function showBuyBar(): void {
  const bar = document.querySelector<HTMLElement>('[data-buy-bar]')
  const button = document.querySelector('#buy [data-adds]')
  if (!bar || !button) return
  new IntersectionObserver(([entry]) => {
    bar.hidden = !entry || entry.isIntersecting || entry.boundingClientRect.top > 0
  }).observe(button)
}
