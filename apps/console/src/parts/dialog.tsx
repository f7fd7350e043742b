import { Modal, type ModalProps } from '@mantine/core'
import { useEffect, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

/** A dialog over the page, with a button to close it. */
export function Dialog(props: ModalProps): ReactNode {
  const { t } = useTranslation()
  useReturnedFocus(props.opened)
  return <Modal closeButtonProps={{ 'aria-label': t('common.close') }} {...props} />
}

/**
 * Returns the focus from a dialog that is rendered only while it is open: the library returns it when a dialog closes,
 * not when it is removed. If the button before it is gone or disabled, as one that saves, the screen gets the focus.
 */
function useReturnedFocus(isOpenAtFirst: boolean): void {
  useEffect(() => {
    const before = document.activeElement
    if (!isOpenAtFirst || !(before instanceof HTMLElement)) return undefined
    return () => {
      setTimeout(() => {
        if (document.activeElement !== document.body) return
        before.focus({ preventScroll: true })
        if (document.activeElement === document.body) document.querySelector('main')?.focus({ preventScroll: true })
      })
    }
  }, [])
}
