import { Center, Loader } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import { sessionChangedHere, whenSessionChangedElsewhere } from './other-windows.ts'
import { ErrorState } from './parts/error-state.tsx'
import { sessionQuery, type Session } from './session.ts'
import { signedInAgain, whenSignedOut, type SessionEnd } from './shop.ts'

const SignIn = lazy(async () => ({ default: (await import('./screens/sign-in/sign-in-screen.tsx')).SignInScreen }))
const SignInAgain = lazy(async () => ({ default: (await import('./screens/sign-in/sign-in-again.tsx')).SignInAgain }))
const SignedIn = lazy(async () => ({ default: (await import('./shell/signed-in.tsx')).SignedIn }))

/** The sign-in, or the console: the address stays, so that a link works after signing in. */
export function App(): ReactNode {
  const session = useQuery(sessionQuery)
  const [end, setEnd] = useState<SessionEnd>()

  useEffect(() => {
    whenSignedOut(setEnd)
    addEventListener('keydown', keepFromPage, { capture: true })
  }, [])

  function resume(userId: string): void {
    if (session.data && session.data.user.id !== userId) {
      setEnd('left')
      return
    }
    setEnd(undefined)
    void session.refetch()
    signedInAgain()
  }

  function signedInHere({ user }: Pick<Session, 'user'>): void {
    sessionChangedHere(user.id)
    resume(user.id)
  }

  const sessionChanged = useEffectEvent((userId: string | undefined) => {
    if (userId === undefined) setEnd('ended')
    else resume(userId)
  })
  useEffect(() => whenSessionChangedElsewhere((userId) => sessionChanged(userId)), [])

  const isSignedOut = session.error !== null && 'status' in session.error && session.error.status === 401
  if (end === 'left') return <NewPage />
  return (
    <Suspense fallback={<Waiting />}>
      {session.data ? (
        <SignedIn />
      ) : session.isPending ? (
        <Waiting />
      ) : isSignedOut ? (
        <SignIn ended={false} onSignedIn={signedInHere} />
      ) : (
        <ErrorState error={session.error} onRetry={() => void session.refetch()} />
      )}
      {end === 'ended' && session.data && (
        <Suspense>
          <SignInAgain onSignedIn={signedInHere} />
        </Suspense>
      )}
    </Suspense>
  )
}

/** Keys of the page below the sign-in must not close its dialogs, or open others. */
function keepFromPage(event: KeyboardEvent): void {
  const isForPage = event.key === 'Escape' || event.ctrlKey || event.metaKey
  if (isForPage && document.querySelector('dialog[open]')) event.stopImmediatePropagation()
}

/** Reloads the page: nothing that the person has read stays in it, and unsaved changes cause no question. */
function NewPage(): ReactNode {
  useEffect(() => location.reload(), [])
  return <Waiting />
}

function Waiting(): ReactNode {
  return (
    <Center mih="100vh">
      <Loader />
    </Center>
  )
}
