/** What the gateway writes into the page. In development the placeholders stay. */
function contentOf(name: string): string {
  const content = document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? ''
  return content.startsWith('__') ? '' : content
}

/** Prefix of every path of the shop, such as `/v1`; empty without one. */
export const BASE_PATH = contentOf('base-path')

/** For the styles that components make at run time. A browser hides the attribute, but not the property. */
export const NONCE = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
