import type { DialogProps } from '../../../parts/use-dialog.tsx'
import type { Admin } from './staff-queries.ts'

export type UserAction = 'change' | 'password' | 'factor' | 'disable' | 'enable' | 'remove'

/** The properties of the dialog of each action. */
export interface UserDialogProps extends DialogProps {
  user: Admin
}
