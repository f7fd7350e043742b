import i18next, { changeLanguage, use as addModule } from 'i18next'
import { initReactI18next } from 'react-i18next'
import type english from './en.json'

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: typeof english }
    returnNull: false
  }
}

const STORED = 'console-language'
/** One file a language: a new one appears in the menu by itself. */
const CATALOGS = import.meta.glob<typeof english>('./*.json', { import: 'default' })

export const LANGUAGES: readonly string[] = Object.keys(CATALOGS).map((path) => path.slice(2, -5))

function preferredLanguage(): string {
  const wanted = [localStorage.getItem(STORED), ...navigator.languages.map((tag) => tag.slice(0, 2))]
  return wanted.find((language) => language !== null && LANGUAGES.includes(language)) ?? 'en'
}

async function load(language: string): Promise<void> {
  const catalog = await CATALOGS[`./${language}.json`]?.()
  if (catalog) i18next.addResourceBundle(language, 'translation', catalog)
}

/** Loads the texts in the language of the person, or else of the browser. */
export async function startMessages(): Promise<void> {
  const language = preferredLanguage()
  await addModule(initReactI18next).init({
    lng: language,
    // React escapes texts.
    interpolation: { escapeValue: false },
    partialBundledLanguages: true,
    resources: {},
  })
  await setLanguage(language)
}

export async function setLanguage(language: string): Promise<void> {
  await load(language)
  await changeLanguage(language)
  document.documentElement.lang = language
  localStorage.setItem(STORED, language)
}
