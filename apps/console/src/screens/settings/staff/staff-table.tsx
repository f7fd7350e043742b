import { Badge, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { DataTable, type Column } from '../../../parts/data-table.tsx'
import { RelativeTime } from '../../../parts/relative-time.tsx'
import { RowMenu, type RowAction } from '../../../parts/row-menu.tsx'
import { useDialog } from '../../../parts/use-dialog.tsx'
import { sessionQuery } from '../../../session.ts'
import { UserActionDialog } from './user-action-dialog.tsx'
import { staffQuery, type Admin } from './staff-queries.ts'
import type { UserAction } from './user-action.ts'

export function StaffTable(): ReactNode {
  const { t } = useTranslation()
  const staff = useQuery(staffQuery)
  const ownId = useQuery(sessionQuery).data?.user.id
  const { open, render } = useDialog<{ user: Admin; action: UserAction }>()

  const menuOf = (user: Admin): ReactNode => (
    <RowMenu
      label={t('settings.actionsFor', { name: user.name })}
      actions={actionsOn(user, user.id === ownId).map((action): RowAction => ({
        label: t(`settings.staff.actions.${action}`),
        isDangerous: action === 'remove',
        onClick: () => open({ user, action }),
      }))}
    />
  )
  return (
    <>
      <DataTable
        label={t('settings.sections.staff')}
        columns={[...columnsOf(t, ownId), { id: 'actions', header: t('settings.actions'), cell: menuOf }]}
        rows={staff.data?.items}
        rowId={({ id }) => id}
        query={staff}
        empty={null}
      />
      {render((dialog, target) => (
        <UserActionDialog {...dialog} {...target} />
      ))}
    </>
  )
}

function columnsOf(t: TFunction, ownId: string | undefined): Column<Admin>[] {
  return [
    {
      id: 'name',
      header: t('settings.staff.name'),
      cell: ({ id, name, email, disabled }) => (
        <>
          <Group gap={6}>
            <Text fw={600}>{name}</Text>
            {id === ownId && <Badge>{t('settings.staff.you')}</Badge>}
            {disabled && <Badge color="red">{t('settings.staff.disabled')}</Badge>}
          </Group>
          <Text className="wrap small dimmed">{email}</Text>
        </>
      ),
    },
    { id: 'role', header: t('settings.account.role'), cell: ({ role }) => t(`settings.roles.${role}`) },
    {
      id: 'factor',
      header: t('settings.factor.title'),
      secondary: true,
      cell: ({ secondFactor }) => t(secondFactor ? 'settings.factor.on' : 'settings.factor.off'),
    },
    {
      id: 'lastSignIn',
      header: t('settings.staff.lastSignIn'),
      secondary: true,
      cell: ({ lastSignInAt }) =>
        lastSignInAt === null ? t('settings.staff.never') : <RelativeTime at={lastSignInAt} />,
    },
  ]
}

/** Users change their own password and second factor under "Your account", not here. */
function actionsOn({ disabled, secondFactor }: Admin, isOwn: boolean): UserAction[] {
  if (isOwn) return ['change']
  return ['change', 'password', ...(secondFactor ? ['factor' as const] : []), disabled ? 'enable' : 'disable', 'remove']
}
