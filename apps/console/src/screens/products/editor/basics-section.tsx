import type { ReactNode } from 'react'
import { useEditor } from './editor-context.ts'
import { Section } from './section.tsx'
import { LongTextField, TextField, useFieldOf } from './text-field.tsx'

/** What the product is called, and what is said about it. */
export function BasicsSection(): ReactNode {
  const { isNew } = useEditor()
  const fieldOf = useFieldOf()
  return (
    <Section name="basics">
      <TextField {...fieldOf('title')} autoFocus={isNew} maxLength={300} required />
      <TextField {...fieldOf('subtitle')} maxLength={500} />
      <LongTextField {...fieldOf('description')} />
    </Section>
  )
}
