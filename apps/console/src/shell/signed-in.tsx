import { RouterProvider } from '@tanstack/react-router'
import { useEffect, type ReactNode } from 'react'
import { followUpdates } from '../live-updates.ts'
import { router } from './router.ts'

export function SignedIn(): ReactNode {
  useEffect(followUpdates, [])
  return <RouterProvider router={router} />
}
