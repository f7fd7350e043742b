import { isRecord, isSame, listOf, type Document } from './document.ts'

/** What was edited, without the empty lines that a person has typed in lists of texts. */
export function withoutBlankLines(document: Document, saved: Document): Document {
  const cleaned = clean(document, saved)
  return isRecord(cleaned) ? cleaned : document
}

function clean(value: unknown, saved: unknown): unknown {
  // The shop may hold blank texts for reasons of its own.
  if (isSame(value, saved)) return value
  if (Array.isArray(value)) {
    const isOfTexts = value.every((each) => typeof each === 'string')
    if (isOfTexts) return value.map((each) => each.trim()).filter((each) => each !== '')
    return value.map((each) => (listOf(saved).some((other) => isSame(each, other)) ? each : clean(each, undefined)))
  }
  if (!isRecord(value)) return value
  const before = isRecord(saved) ? saved : {}
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, clean(each, before[name])]))
}
