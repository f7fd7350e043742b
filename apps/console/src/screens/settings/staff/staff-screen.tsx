import type { ReactNode } from 'react'
import { SettingsPage } from '../settings-page.tsx'
import { AddUser } from './add-user.tsx'
import { StaffTable } from './staff-table.tsx'

/** Who may use the console, and for what. */
export function StaffScreen(): ReactNode {
  return (
    <SettingsPage section="staff" actions={<AddUser />}>
      <StaffTable />
    </SettingsPage>
  )
}
