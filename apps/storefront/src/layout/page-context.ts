import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Language } from '../messages/language.ts'
import type { Frame } from '../shop/frame.ts'

/** What all components of a page may read. */
export interface PageContext {
  frame: Frame
  language: Language
  /** Path and query of the page. */
  address: string
  storefrontUrl: string
  /** The public address of the shop's API. */
  shopUrl: string
  assets: Assets
}

export type PageScript = 'page' | 'product' | 'checkout'
/** A script that is a part of pages. */
export type InlineScript = 'loader' | 'own-contents'
/** Styles that only some pages need. */
export type PageStyle = 'account' | 'checkout' | 'home' | 'list' | 'product'

/** Addresses of the built files. */
export interface Assets {
  /** Of a script, followed by what it imports, as `/assets/page-1a2b3c.js`. */
  modules: (script: PageScript) => readonly string[]
  /** The texts of the scripts that are parts of pages: what loads the others, and what requests the bag. */
  inline: Readonly<Record<InlineScript, string>>
  /** The texts of the stylesheets, which are part of the pages: no request delays the styles of a page. */
  styles: Readonly<Record<'shop' | PageStyle, string>>
}

const Context = createContext<PageContext | undefined>(undefined)
export const PageContextProvider = Context.Provider

export function usePage(): PageContext {
  const page = useContext(Context)
  if (!page) throw new Error('a component stands outside of a page')
  return page
}

export function useLanguage(): Language {
  return usePage().language
}
