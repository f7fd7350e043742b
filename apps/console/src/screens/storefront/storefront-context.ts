import { createContext, useContext } from 'react'
import type { Document, Path } from './document.ts'

interface StorefrontEditor {
  /** With what is not saved yet. */
  document: Document
  /** What is wrong with a value, by its path with dots. */
  faults: Readonly<Record<string, string>>
  canWrite: boolean
  currency: string
  set: (path: Path, value: unknown) => void
}

export const StorefrontContext = createContext<StorefrontEditor | undefined>(undefined)

export function useStorefront(): StorefrontEditor {
  const editor = useContext(StorefrontContext)
  if (!editor) throw new Error('outside of the form of the storefront')
  return editor
}
