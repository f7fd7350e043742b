import type { Admin } from './staff-queries.ts'

export type UserAction = 'change' | 'password' | 'factor' | 'disable' | 'enable' | 'remove'

/** The properties of the dialog of each action. */
export interface UserDialogProps {
  user: Admin
  opened: boolean
  onClose: () => void
}
