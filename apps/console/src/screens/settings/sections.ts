import type { Permission } from '../../session.ts'

interface Section {
  path: string
  /** Only users with this permission see the section; undefined if every user does. */
  permission?: Permission
}

/** The sections of the settings in their order; the text of each is `settings.sections.<name>`. */
export const SECTIONS = {
  account: { path: '/settings' },
  staff: { path: '/settings/staff', permission: 'admins:write' },
  keys: { path: '/settings/keys', permission: 'admins:write' },
  credentials: { path: '/settings/credentials', permission: 'credentials:write' },
  webhooks: { path: '/settings/webhooks', permission: 'webhooks:write' },
  mails: { path: '/settings/mails', permission: 'orders:read' },
  health: { path: '/settings/health', permission: 'orders:read' },
} as const satisfies Record<string, Section>

export type SectionName = keyof typeof SECTIONS

const ALL: Record<SectionName, Section> = SECTIONS

export const SECTION_NAMES: readonly SectionName[] = [
  'account',
  'staff',
  'keys',
  'credentials',
  'webhooks',
  'mails',
  'health',
]

/** @returns the permission that a section needs; undefined for none */
export function permissionOf(section: SectionName): Permission | undefined {
  return ALL[section].permission
}
