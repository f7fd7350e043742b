import type { ComponentChildren } from 'preact'
import { useLanguage } from '../layout/page-context.ts'

interface Notes {
  id: string
  hint?: string | undefined
  /** What is wrong with the value. */
  problem?: string | undefined
}

interface FieldProps extends Notes {
  label: string
  name: string
  type?: 'text' | 'email' | 'password' | 'tel'
  value?: string | undefined
  autocomplete: string
  maxlength: number
  required?: boolean
  /** The browser moves the focus here when the page is shown. */
  autofocus?: boolean
  /** Attributes of htmx. */
  requests?: Readonly<Record<`hx-${string}`, string>>
}

/** A field of one line with its label. */
export function Field({ id, label, hint, problem, required = false, type = 'text', requests, ...input }: FieldProps) {
  // Preact has a type of its own for each type of an input, and none for some of them.
  const kind: Record<string, string> = { type, ...requests }
  const notes = { id, hint, problem }
  return (
    <Entry {...notes} label={label} isOptional={!required}>
      <input id={id} {...kind} required={required} {...describedBy(notes)} {...input} />
    </Entry>
  )
}

interface EntryProps extends Notes {
  label: string
  isOptional?: boolean
  children: ComponentChildren
}

/** A control with its label, and with its problem between the two. */
export function Entry({ label, isOptional = false, children, ...notes }: EntryProps) {
  const { t } = useLanguage()
  return (
    <div class="entry">
      <label for={notes.id}>
        {label}
        {isOptional && <span class="hint"> {t('common.optional')}</span>}
      </label>
      <FieldNotes {...notes} />
      {children}
    </div>
  )
}

export function FieldNotes({ id, hint, problem }: Notes) {
  return (
    <>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {problem && (
        <p class="problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
    </>
  )
}

/** Attributes of a control that has these notes. */
export function describedBy({ id, hint, problem }: Notes) {
  const notes = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ')
  return { 'aria-invalid': problem ? true : undefined, 'aria-describedby': notes === '' ? undefined : notes }
}
