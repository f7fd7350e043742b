import { readFileSync } from 'node:fs'
import { htmlPage } from '@storefront/http'
import { PASSWORD_LENGTH } from '../passwords/password.ts'

export interface Page {
  title: string
  /** What the button does, as a sentence. */
  explanation: string
  button: string
  /** The text after it succeeded. */
  done: string
  /** Whether the password field is shown at once, or only when the shop requires it. */
  password?: 'new' | 'current-when-requested'
  /**
   * The explanation for a person who has just confirmed an address, and must set a password before the address counts.
   */
  afterConfirmation?: string
  /** Relative to /auth, so that a base path does not matter. */
  assets: string
}

export function readAsset(name: string): string {
  return readFileSync(new URL(`assets/${name}`, import.meta.url), 'utf8')
}

/**
 * For a shop whose storefront has no such page. The form uses POST, so that a browser without the script never puts the
 * password into a URL.
 */
export function htmlOf(page: Page): string {
  const content = `<h1>${page.title}</h1>
<form method="post" data-done="${page.done}"${afterConfirmation(page)} hidden>
<p id="explanation">${page.explanation}</p>
${page.password ? PASSWORD_FIELDS[page.password] : ''}<button type="submit">${page.button}</button>
</form>
<p id="message" role="status" tabindex="-1"></p>
<noscript><p>Please switch on JavaScript for this page, and open the link again.</p></noscript>`
  return htmlPage({ title: page.title, style: `${page.assets}/pages.css`, script: `${page.assets}/pages.js`, content })
}

function afterConfirmation({ afterConfirmation: text }: Page): string {
  return text === undefined ? '' : ` data-after-confirmation="${text}"`
}

const NEW_PASSWORD = `<label for="password">New password</label>
<input id="password" name="password" type="password" autocomplete="new-password" required aria-describedby="rule">
<p id="rule">${PASSWORD_LENGTH.min} to ${PASSWORD_LENGTH.max} characters.</p>
`

const CURRENT_PASSWORD = `<div id="current-password" hidden>
<label for="password">Password of your account</label>
<input id="password" name="password" type="password" autocomplete="current-password">
</div>
`

const PASSWORD_FIELDS = { new: NEW_PASSWORD, 'current-when-requested': CURRENT_PASSWORD }
