import { Alert } from '@mantine/core'
import type { ReactNode } from 'react'
import { messageOf } from '../shop.ts'

/** Why something was not done; nothing without an error. */
export function Failure({ error }: { error: unknown }): ReactNode {
  if (error === undefined || error === null) return null
  return <Alert color="red">{messageOf(error)}</Alert>
}
