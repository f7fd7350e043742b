/** As a page shows it and a keyboard writes it: files from a Mac hold each accent apart, and titles spaces in a row. */
function shown(text: string): string {
  return text.normalize('NFC').replaceAll(/\s+/g, ' ').trim()
}

/** Whether a person typed the word that a dialog asks for. */
export function isTyped(typed: string, word: string): boolean {
  return shown(typed) === shown(word)
}
