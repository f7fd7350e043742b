import type { ComponentChildren } from 'preact'

interface FormFieldProps {
  id: string
  label: string
  problem?: string | undefined
  /** Whether a screen reader reads the problem out at once. */
  isUrgent?: boolean
  children: ComponentChildren
}

/** A field of a form below a product, with its problem behind it. */
export function FormField({ id, label, problem, isUrgent = false, children }: FormFieldProps) {
  return (
    <p class="form-field">
      <label for={id}>{label}</label>
      {children}
      <FieldProblem id={id} problem={problem} role={isUrgent ? 'alert' : undefined} />
    </p>
  )
}

interface FieldProblemProps {
  id: string
  problem: string | undefined
  role?: 'alert' | undefined
}

export function FieldProblem({ id, problem, role }: FieldProblemProps) {
  return problem === undefined ? null : (
    <span class="problem" id={`${id}-problem`} role={role}>
      {problem}
    </span>
  )
}
