import { expect, test } from 'vitest'
import { AdminRole, PERMISSIONS, ROLE_PERMISSIONS } from '@storefront/contracts'
import { readText, tableRows } from './source-files.ts'

test('the roles in docs/security.md are those of the contracts', () => {
  const section = readText('docs/security.md').split('\n## Roles\n')[1]?.split('\n## ')[0] ?? ''
  const [head = [], , ...body] = tableRows(section)
  const roles = AdminRole.options
  expect(head).toEqual(['Permission', ...roles])
  expect(body).toEqual(
    PERMISSIONS.map((permission) => [
      `\`${permission}\``,
      ...roles.map((role) => (ROLE_PERMISSIONS[role].some((held) => held === permission) ? 'yes' : '')),
    ]),
  )
})
