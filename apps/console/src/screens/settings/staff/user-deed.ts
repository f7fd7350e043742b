import type { Admin } from './staff-queries.ts'

export type UserDeed = 'change' | 'password' | 'factor' | 'disable' | 'enable' | 'remove'

/** Of the dialog of each deed. */
export interface UserDialogProps {
  user: Admin
  opened: boolean
  onClose: () => void
}
