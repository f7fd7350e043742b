/** Moves the gallery by its thumbnails, and shows pictures in full size. */
export function moveGallery(): void {
  const slides = document.querySelector('.slides')
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    if (link.closest('.thumbs')) {
      event.preventDefault()
      showSlide(document.querySelector(link.getAttribute('href') ?? ''))
    } else if (link.dataset['view'] !== undefined) {
      event.preventDefault()
      view(link)
    }
  })
  document.querySelector('#viewer')?.addEventListener('click', ({ target }) => {
    const turns = target instanceof Element ? target.closest<HTMLElement>('[data-turns]')?.dataset['turns'] : undefined
    if (turns !== undefined) turn(Number(turns))
  })
  document.querySelector('#viewer')?.addEventListener('keydown', (event) => {
    const forward = document.documentElement.dir === 'rtl' ? -1 : 1
    if (event instanceof KeyboardEvent && event.key === 'ArrowRight') turn(forward)
    if (event instanceof KeyboardEvent && event.key === 'ArrowLeft') turn(-forward)
  })
  if (slides) markThumbs(slides)
}

/**
 * Shows the pictures of a color, and those of no color. Where no picture has the color, all stay, and the one of the
 * variant comes into sight.
 */
export function showColor(color: string | undefined, image: string | undefined, isChange: boolean): void {
  const all = [...document.querySelectorAll<HTMLElement>('.slides > li, .thumbs > li')]
  const hasColor = all.some((item) => item.dataset['color'] === color)
  const before = all.filter(({ hidden }) => hidden).length
  for (const item of all) {
    // As the page was rendered.
    item.classList.remove('script-off')
    item.hidden = hasColor && item.dataset['color'] !== undefined && item.dataset['color'] !== color
  }
  if (!isChange) return
  const slides = all.filter((item) => item.dataset['image'] !== undefined && !item.hidden)
  const ofColor = slides.find((item) => item.dataset['color'] === color)
  const ofVariant = slides.find((item) => item.dataset['image'] === image)
  if (!hasColor && ofVariant) showSlide(ofVariant)
  else if (ofColor && before > 0 && !isInSight(color)) showSlide(ofColor)
}

let inSight: Element | undefined

function isInSight(color: string | undefined): boolean {
  return inSight instanceof HTMLElement && !inSight.hidden && inSight.dataset['color'] === color
}

function showSlide(slide: Element | null): void {
  const slides = slide?.parentElement
  if (!(slide instanceof HTMLElement) || !slides) return
  slides.scrollTo({ left: slide.offsetLeft, behavior: 'auto' })
}

function markThumbs(slides: Element): void {
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (isIntersecting) inSight = target
      }
      for (const thumb of document.querySelectorAll('.thumbs a')) {
        thumb.toggleAttribute('aria-current', thumb.getAttribute('href') === `#${inSight?.id}`)
      }
    },
    { root: slides, threshold: 0.6 },
  )
  for (const slide of slides.children) observer.observe(slide)
}

let viewed: HTMLAnchorElement[] = []
let current = 0

/** All pictures that belong with this one, beginning with it. */
function view(link: HTMLAnchorElement): void {
  const viewer = document.querySelector<HTMLDialogElement>('#viewer')
  const group = CSS.escape(link.dataset['view'] ?? '')
  viewed = [...document.querySelectorAll<HTMLAnchorElement>(`a[data-view="${group}"]`)].filter(
    (one) => one.closest('[hidden]') === null,
  )
  current = viewed.indexOf(link)
  for (const button of viewer?.querySelectorAll<HTMLElement>('[data-turns]') ?? []) button.hidden = viewed.length < 2
  turn(0)
  viewer?.showModal()
}

function turn(by: number): void {
  current = (current + by + viewed.length) % viewed.length
  const source = viewed[current]?.querySelector('img')
  const place = document.querySelector('#viewer .viewer-picture')
  if (!source || !place) return
  const picture = new Image()
  picture.sizes = '100vw'
  picture.srcset = source.srcset
  picture.src = viewed[current]?.href ?? source.src
  picture.alt = ''
  place.querySelector('img')?.remove()
  place.prepend(picture)
  const caption = place.querySelector('p')
  if (caption) caption.textContent = `${current + 1} / ${viewed.length} · ${source.alt}`
}
