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
  /** The public address of this storefront. */
  storefrontUrl: string
  assets: Assets
}

/** Addresses of the built files. */
export interface Assets {
  /** Of the script with this name, as `/assets/page-1a2b3c.js`. */
  script: (name: 'page' | 'product' | 'checkout') => string
  /** The text of the stylesheet, which is part of each page: no request stands between a page and its looks. */
  style: string
  /** Of the typeface. */
  font: string
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
