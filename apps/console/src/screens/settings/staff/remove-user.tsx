import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { noticeDone } from '../../../parts/notices.ts'
import { shop } from '../../../shop.ts'
import { TypedActionDialog } from '../reauthentication/typed-action-dialog.tsx'
import { useConfirmedRequest } from '../reauthentication/use-confirmed-request.tsx'
import { refreshStaff } from './staff-queries.ts'
import type { UserDialogProps } from './user-action.ts'

export function RemoveUser({ user, ...dialog }: UserDialogProps): ReactNode {
  const { t } = useTranslation()
  const request = useConfirmedRequest({
    run: (_input: undefined, confirmation) =>
      shop.delete('/admin/users/{id}', { params: { path: { id: user.id } }, body: confirmation }),
    onDone: () => {
      dialog.onClose()
      refreshStaff()
      noticeDone(t('settings.staff.done.remove', { name: user.name }))
    },
  })
  return (
    <TypedActionDialog
      {...dialog}
      title={t('settings.staff.titles.remove', { name: user.name })}
      text={t('settings.staff.texts.remove')}
      word={user.email}
      action={t('settings.staff.actions.remove')}
      request={request}
    />
  )
}
