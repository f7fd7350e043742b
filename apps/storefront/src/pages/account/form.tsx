import type { StorefrontError } from '@storefront/client'
import type { ComponentChildren } from 'preact'
import type { Language } from '../../messages/language.ts'
import { Field as LabeledField } from '../../parts/field.tsx'
import type { LiveRequest } from '../../server/live-page.tsx'
import { sentOnce } from '../../parts/sent-once.ts'

/** Why a form was not accepted. */
export interface Problem {
  form: string
  /** Name of the field that is wrong; without one the problem concerns the whole form. */
  field: string | undefined
  message: string
}

/** The fields that errors of the shop are about, by the code of the error. */
export type FieldsByCode = Readonly<Record<string, string>>

export function problemOf(form: string, error: StorefrontError, fields: FieldsByCode, language: Language): Problem {
  return { form, field: fields[error.code], message: language.error(error) }
}

/** Whether a form shows the error; all others are shown by the error page. */
export function isAboutForm({ status, code }: StorefrontError): boolean {
  return status !== undefined && status >= 400 && status < 500 && code !== 'unauthenticated'
}

/** What the forms of a page show. */
export interface FormState {
  problem?: Problem | undefined
  /** What was typed before. */
  form: LiveRequest['form']
  /** What a form that replaces its own part of the page has just done. */
  done?: string | undefined
}

interface FormProps {
  name: string
  action: string
  state: FormState
  button: string
  /** Whether the response replaces the section of the form only, and not the contents of the page. */
  isPart?: boolean
  children: ComponentChildren
}

/** A form of the account. */
export function Form({ name, action, state, button, isPart = false, children }: FormProps) {
  const { problem } = state
  const isWrong = problem?.form === name && problem.field === undefined
  return (
    <form
      class="form"
      {...sentOnce(action)}
      hx-target={isPart ? 'closest section' : '#account'}
      hx-swap={isPart ? 'outerHTML' : undefined}
      hx-disable="find .button"
    >
      {isPart && <Done text={state.done} />}
      {isWrong && (
        <p class="notice notice-problem" role="alert" tabindex={-1} autofocus>
          {problem.message}
        </p>
      )}
      {children}
      <p>
        <button class="button">{button}</button>
      </p>
    </form>
  )
}

interface FieldProps {
  form: string
  name: string
  label: string
  state: FormState
  type?: 'text' | 'email' | 'password' | 'tel'
  autocomplete: string
  value?: string | undefined
  hint?: string
  maxlength?: number
  isOptional?: boolean
}

/** A field that keeps what was typed, except for a password, and shows what is wrong with it. */
export function Field({ form, name, state, type = 'text', value, isOptional = false, ...rest }: FieldProps) {
  const isSent = state.problem?.form === form
  const problem = isSent && state.problem?.field === name ? state.problem.message : undefined
  const typed = isSent ? (state.form.get(name) ?? '') : value
  return (
    <LabeledField
      maxlength={200}
      {...rest}
      id={`${form}-${name}`}
      name={name}
      type={type}
      value={type === 'password' ? undefined : typed}
      required={!isOptional}
      problem={problem}
      autofocus={problem !== undefined}
    />
  )
}

/** What has just succeeded. It gets the focus, so that it is read out and seen. */
export function Done({ text }: { text: string | undefined }) {
  if (text === undefined) return null
  return (
    <p class="notice" role="status" tabindex={-1} autofocus>
      {text}
    </p>
  )
}
