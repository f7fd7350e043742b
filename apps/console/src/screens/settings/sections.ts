import type { Permission } from '../../session.ts'

interface Section {
  name: string
  path: string
  /** Only users with this permission see the section; undefined if every user does. */
  permission: Permission | undefined
}

/** The sections of the settings in their order; the text of each is `settings.sections.<name>`. */
export const SECTIONS = [
  { name: 'account', path: '/settings', permission: undefined },
  { name: 'staff', path: '/settings/staff', permission: 'admins:write' },
  { name: 'keys', path: '/settings/keys', permission: 'admins:write' },
  { name: 'credentials', path: '/settings/credentials', permission: 'credentials:write' },
  { name: 'webhooks', path: '/settings/webhooks', permission: 'webhooks:write' },
  { name: 'mails', path: '/settings/mails', permission: 'orders:read' },
  { name: 'health', path: '/settings/health', permission: 'orders:read' },
] as const satisfies readonly Section[]

export type SectionName = (typeof SECTIONS)[number]['name']
