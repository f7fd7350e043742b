import { AdminRole, Permission, ROLE_PERMISSIONS } from '@storefront/contracts'
import { z } from 'zod'

export const AdminUser = z
  .object({
    id: z.string(),
    email: z.string(),
    name: z.string(),
    role: AdminRole,
    permissions: z.array(Permission),
  })
  .meta({ id: 'AdminUser' })
export type AdminUser = z.output<typeof AdminUser>

export interface StoredAdminUser {
  id: string
  email: string
  name: string
  role: AdminRole
}

export function toAdminUser({ id, email, name, role }: StoredAdminUser): AdminUser {
  return { id, email, name, role, permissions: [...ROLE_PERMISSIONS[role]] }
}
