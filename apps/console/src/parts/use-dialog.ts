import { useEffect, useId, useState } from 'react'

interface Shown<Target> {
  target: Target
  /** The React key of the dialog: a new one each time, so that the dialog begins empty. */
  key: string
  opened: boolean
  onClose: () => void
}

/**
 * A dialog about something, such as a row of a table. It is mounted closed and then opened, because only then the focus
 * returns to where it was.
 */
export function useDialog<Target>(): { shown: Shown<Target> | undefined; open: (target: Target) => void } {
  const id = useId()
  const [about, setAbout] = useState<{ target: Target; round: number }>()
  const [opened, setOpened] = useState(false)
  useEffect(() => setOpened(about !== undefined), [about])
  return {
    shown: about && {
      target: about.target,
      key: `${id}${about.round}`,
      opened,
      onClose: () => setOpened(false),
    },
    open: (target) => setAbout((before) => ({ target, round: (before?.round ?? 0) + 1 })),
  }
}
