import type { FileChooser, Locator, Page } from 'playwright-core'

/** What a task took. */
export interface Effort {
  clicks: number
  /** Presses of keys that are not text, such as Tab, Enter and Ctrl+S. */
  keys: number
  /** Texts that were typed, one for each field or value. */
  texts: number
  seconds: number
}

/** Works a page as a person does, with a pointer and a keyboard, and counts both. */
export class Hand {
  readonly page: Page
  #clicks = 0
  #keys = 0
  #texts = 0
  #began: number | undefined

  constructor(page: Page) {
    this.page = page
  }

  async click(target: Locator): Promise<void> {
    await target.click()
    this.#clicks += 1
  }

  async press(key: string): Promise<void> {
    await this.page.keyboard.press(key)
    this.#keys += 1
  }

  /** Types where the focus is. */
  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text)
    this.#texts += 1
  }

  /** Types into a field that already has the focus. */
  async typeInto(field: Locator, text: string): Promise<void> {
    await this.#focused(field)
    await this.type(text)
  }

  async clickAndType(field: Locator, text: string): Promise<void> {
    await this.click(field)
    await this.type(text)
  }

  /** Types over what is in a field. */
  async clickAndReplace(field: Locator, text: string): Promise<void> {
    await this.click(field)
    await this.press('ControlOrMeta+A')
    await this.type(text)
  }

  /** Goes on to the next field, which selects what is in it. */
  async tabAndType(field: Locator, text: string): Promise<void> {
    await this.press('Tab')
    await this.typeInto(field, text)
  }

  /** F5, which a browser without a window does not know. */
  async reload(): Promise<void> {
    await this.page.reload()
    this.#keys += 1
  }

  /** What happens in the file dialog of the system is the same everywhere and is not counted. */
  async chooseFiles(button: Locator, files: Parameters<FileChooser['setFiles']>[0]): Promise<void> {
    const opened = this.page.waitForEvent('filechooser')
    await this.click(button)
    await (await opened).setFiles(files)
  }

  /** Fills in the form of a sign-in and sends it, which starts the clock. */
  async signIn(user: Locator, password: Locator, credentials: { user: string; password: string }): Promise<void> {
    await this.typeInto(user, credentials.user)
    await this.tabAndType(password, credentials.password)
    this.#began = performance.now()
    await this.press('Enter')
  }

  /** @returns what was done since the sign-in page */
  effort(): Effort {
    if (this.#began === undefined) throw new Error('the task did not sign in')
    const seconds = (performance.now() - this.#began) / 1000
    return { clicks: this.#clicks, keys: this.#keys, texts: this.#texts, seconds }
  }

  async #focused(field: Locator): Promise<void> {
    await field.and(this.page.locator(':focus')).waitFor()
  }
}
