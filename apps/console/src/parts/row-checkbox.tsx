import type { ReactNode } from 'react'

interface RowCheckboxProps {
  label: string
  /** The id of the element that names the row. */
  describedBy?: string
  checked: boolean
  /** Whether it represents several rows, only some of which are selected. */
  isPartly?: boolean
  onChange: () => void
}

/** Looks like the library's checkbox, but is two elements: a list has fifty. */
export function RowCheckbox({ label, describedBy, checked, isPartly = false, onChange }: RowCheckboxProps): ReactNode {
  return (
    <div className="row-checkbox">
      <input
        type="checkbox"
        className="mantine-focus-auto"
        aria-label={label}
        aria-describedby={describedBy}
        checked={checked}
        ref={(input) => {
          if (input) input.indeterminate = isPartly
        }}
        onChange={onChange}
      />
      {isPartly ? (
        <svg viewBox="0 0 32 6" fill="currentColor" aria-hidden="true">
          <rect width="32" height="6" rx="3" />
        </svg>
      ) : (
        <svg viewBox="0 0 10 7" fill="currentColor" aria-hidden="true">
          <path
            d="M4 4.586L1.707 2.293A1 1 0 1 0 .293 3.707l3 3a.997.997 0 0 0 1.414 0l5-5A1 1 0 1 0 8.293.293L4 4.586z"
            fillRule="evenodd"
            clipRule="evenodd"
          />
        </svg>
      )}
    </div>
  )
}
