import { RouterProvider } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { router } from './router.ts'

export function SignedIn(): ReactNode {
  return <RouterProvider router={router} />
}
