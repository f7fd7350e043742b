import { useLayoutEffect, useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './sign-in-again.module.css'
import { SignInScreen, type SignedIn } from './sign-in-screen.tsx'

/**
 * The sign-in over the page of a session that has ended: what was typed stays below, covered and out of reach. A
 * dialog of the browser, because those of the library may be open below it.
 */
export function SignInAgain({ onSignedIn }: { onSignedIn: (signedIn: SignedIn) => void }): ReactNode {
  const { t } = useTranslation()
  const dialog = useRef<HTMLDialogElement>(null)
  // Before the element is removed: closing it returns the focus.
  useLayoutEffect(() => {
    const { current } = dialog
    current?.showModal()
    return () => current?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      className={classes['over']}
      aria-label={t('signIn.title')}
      onCancel={(event) => event.preventDefault()}
      // Some browsers close it with a second Escape all the same.
      onClose={({ currentTarget }) => {
        if (currentTarget.isConnected && !currentTarget.open) currentTarget.showModal()
      }}
    >
      <SignInScreen ended onSignedIn={onSignedIn} />
    </dialog>
  )
}
