import { keep, read } from '../storage.ts'
import { requestNow } from '../request-now.ts'

const VIEWED = 'store.viewed'
const MAX_VIEWED = 8
/** How far below the window the row is when it is loaded. */
const MARGIN = '400px'

/** Keeps which products were looked at last, and shows the others when their place comes near. */
export function rememberViewed(): void {
  const form = document.querySelector<HTMLFormElement>('[data-recent]')
  const slug = form?.dataset['recent']
  if (!form || slug === undefined) return
  const others = (read(VIEWED) ?? '').split(',').filter((one) => one !== '' && one !== slug)
  keep(VIEWED, [slug, ...others].slice(0, MAX_VIEWED + 1).join(','))
  const field = form.querySelector('input')
  if (!field || others.length === 0) return
  field.value = others.slice(0, MAX_VIEWED).join(',')
  const observer = new IntersectionObserver(
    ([entry]) => {
      if (!entry?.isIntersecting) return
      observer.disconnect()
      requestNow(form, 'load-recent')
    },
    { rootMargin: MARGIN },
  )
  observer.observe(form)
}
