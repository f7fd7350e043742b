import { RouterProvider } from '@tanstack/react-router'
import { useEffect, type ReactNode } from 'react'
import { keepSession } from '../keep-session.ts'
import { followUpdates } from '../live-updates.ts'
import { router } from './router.ts'

export function SignedIn(): ReactNode {
  useEffect(followUpdates, [])
  useEffect(keepSession, [])
  return <RouterProvider router={router} />
}
