import { Fragment, useEffect, useId, useState, type ReactNode } from 'react'

/** What a dialog takes from the page that opens it. */
export interface DialogProps {
  opened: boolean
  onClose: () => void
}

interface DialogOf<Target> {
  open: (target: Target) => void
  /** Renders the dialog once it was opened. It is a new one each time, so that it begins empty. */
  render: (dialog: (props: DialogProps, target: Target) => ReactNode) => ReactNode
}

/**
 * A dialog about something, such as a row of a table. It is mounted closed and then opened, because only then the focus
 * returns to where it was.
 */
export function useDialog<Target>(): DialogOf<Target> {
  const id = useId()
  const [about, setAbout] = useState<{ target: Target; round: number }>()
  const [opened, setOpened] = useState(false)
  useEffect(() => setOpened(about !== undefined), [about])
  return {
    open: (target) => setAbout((before) => ({ target, round: (before?.round ?? 0) + 1 })),
    render: (dialog) =>
      about && (
        <Fragment key={`${id}${about.round}`}>
          {dialog({ opened, onClose: () => setOpened(false) }, about.target)}
        </Fragment>
      ),
  }
}
