/** Outweighs usual selectors of the mail's own sheet, as the `style` attribute did. */
const selectorOf = (index: number): string => `[data-style="${index}"]`.repeat(3)

/**
 * Moves the styles of a mail, which are in attributes because mail programs need that, into a sheet with the nonce of the
 * page: so the Content-Security-Policy need not allow any other.
 */
export function withStyleSheet(html: string, nonce: string): string {
  // Before it is parsed, because the browser reports each style that the policy forbids.
  const prepared = html.replaceAll(/<[^>]+>/g, (tag) =>
    tag.replace(/^<style/i, `<style nonce="${nonce}"`).replaceAll(/\sstyle\s*=/gi, ' data-style='),
  )
  const page = new DOMParser().parseFromString(prepared, 'text/html')
  const rules = [...page.querySelectorAll('[data-style]')].map((element, index) => {
    const style = element.getAttribute('data-style') ?? ''
    element.setAttribute('data-style', String(index))
    return `${selectorOf(index)}{${style}}`
  })
  const sheet = page.createElement('style')
  sheet.setAttribute('nonce', nonce)
  sheet.textContent = rules.join('\n')
  page.head.append(sheet)
  return `<!doctype html>${page.documentElement.outerHTML}`
}
