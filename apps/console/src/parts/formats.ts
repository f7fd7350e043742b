import i18next from 'i18next'

/**
 * Keeps a format until the language changes: making it takes longer than using it for all rows of a list.
 * @returns a function that returns the format of the current language
 */
export function ofLanguage<Format>(make: (language: string) => Format): () => Format {
  let made: { language: string; format: Format } | undefined
  return () => {
    const { language } = i18next
    if (made?.language !== language) made = { language, format: make(language) }
    return made.format
  }
}

const numberFormat = ofLanguage((language) => new Intl.NumberFormat(language))

/** A count as people of the language write it. */
export function numeral(count: number): string {
  return numberFormat().format(count)
}

const signedFormat = ofLanguage((language) => new Intl.NumberFormat(language, { signDisplay: 'always' }))

/** A difference as people of the language write it, with its sign. */
export function signedNumeral(difference: number): string {
  return signedFormat().format(difference)
}
