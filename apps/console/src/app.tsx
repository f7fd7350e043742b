import { Center, Loader } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState, type ReactNode } from 'react'
import { ErrorState } from './parts/error-state.tsx'
import { queryClient } from './query-client.ts'
import { sessionQuery } from './session.ts'
import { whenSignedOut } from './shop.ts'

const SignIn = lazy(async () => ({ default: (await import('./screens/sign-in/sign-in-screen.tsx')).SignInScreen }))
const SignedIn = lazy(async () => ({ default: (await import('./shell/signed-in.tsx')).SignedIn }))

/** The sign-in, or the console: the address stays, so that a link works after signing in. */
export function App(): ReactNode {
  const session = useQuery(sessionQuery)
  const [ended, setEnded] = useState(false)

  useEffect(() => {
    whenSignedOut(() => {
      setEnded(true)
      signOutHere()
    })
  }, [])

  const isSignedOut = session.error !== null && 'status' in session.error && session.error.status === 401
  return (
    <Suspense fallback={<Waiting />}>
      {session.isPending ? (
        <Waiting />
      ) : isSignedOut ? (
        <SignIn ended={ended} onSignedIn={() => void session.refetch()} />
      ) : session.error ? (
        <ErrorState error={session.error} onRetry={() => void session.refetch()} />
      ) : (
        <SignedIn />
      )}
    </Suspense>
  )
}

/** Removes what this person has read, and reads the session again, which has ended. */
function signOutHere(): void {
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] })
  void queryClient.resetQueries({ queryKey: sessionQuery.queryKey })
}

function Waiting(): ReactNode {
  return (
    <Center mih="100vh">
      <Loader />
    </Center>
  )
}
