import { createContext, useContext } from 'react'
import type { Issues } from './issues.ts'
import type { SectionName } from './sections.ts'
import type { ProductFormState } from './use-product-form.ts'

/** What every part of the editor needs. */
export interface Editor extends Pick<ProductFormState, 'form' | 'before' | 'change'> {
  isNew: boolean
  canWrite: boolean
  currency: string
  errors: Issues
  opened: ReadonlySet<SectionName>
  setOpened: (name: SectionName, isOpen: boolean) => void
}

export const EditorContext = createContext<Editor | undefined>(undefined)

export function useEditor(): Editor {
  const editor = useContext(EditorContext)
  if (!editor) throw new Error('this part belongs into the product editor')
  return editor
}
