import i18next, { changeLanguage, use as addModule } from 'i18next'
import { initReactI18next } from 'react-i18next'
import type { Texts } from './texts.ts'

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: Texts }
    returnNull: false
  }
}

const STORED = 'console-language'
/** One folder per language, with a file for each screen: a new language appears in the menu by itself. */
const CATALOGS = import.meta.glob<object>('./*/*.json', { import: 'default' })

export const LANGUAGES: readonly string[] = [...new Set(Object.keys(CATALOGS).map((path) => path.split('/')[1] ?? ''))]

/** The files that are loaded: another language needs the same ones. */
const loaded = new Set(['common', 'errors', 'fields'])
let language = 'en'

function preferredLanguage(): string {
  const wanted = [localStorage.getItem(STORED), ...navigator.languages.map((tag) => tag.slice(0, 2))]
  return wanted.find((one) => one !== null && LANGUAGES.includes(one)) ?? 'en'
}

/** Loads the common texts in the language of the person, or else of the browser. */
export async function startMessages(): Promise<void> {
  const preferred = preferredLanguage()
  await addModule(initReactI18next).init({
    lng: preferred,
    // React escapes texts.
    interpolation: { escapeValue: false },
    partialBundledLanguages: true,
    resources: {},
    saveMissing: true,
    missingKeyHandler: (_languages, _namespace, key) => reportError(new Error(`The text ${key} is missing.`)),
  })
  await showIn(preferred)
}

/** Changes the language, also for the next visits. */
export async function setLanguage(chosen: string): Promise<void> {
  localStorage.setItem(STORED, chosen)
  await showIn(chosen)
}

async function showIn(chosen: string): Promise<void> {
  language = chosen
  await Promise.all([...loaded].map(loadTexts))
  await changeLanguage(chosen)
  document.documentElement.lang = chosen
}

/** Loads texts before what shows them. @param name of a file, and of the keys in it */
export async function loadTexts(name: string): Promise<void> {
  loaded.add(name)
  const wanted = language
  const texts = await CATALOGS[`./${wanted}/${name}.json`]?.()
  if (texts) i18next.addResourceBundle(wanted, 'translation', texts, true, true)
}
