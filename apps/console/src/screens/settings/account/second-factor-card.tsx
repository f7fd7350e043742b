import { Badge, Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FormDialog } from '../../../parts/form-dialog.tsx'
import { noticeDone } from '../../../parts/notices.ts'
import { useDialog, type DialogProps } from '../../../parts/use-dialog.tsx'
import { queryClient } from '../../../query-client.ts'
import { sessionQuery, type Session } from '../../../session.ts'
import { shop } from '../../../shop.ts'
import { Card } from '../../../parts/card.tsx'
import { ReauthenticationFields } from '../reauthentication/reauthentication-fields.tsx'
import { SecondFactorDialog } from './second-factor-dialog.tsx'

/** Whether signing in needs a code from an app as well, and how to begin or end that. */
export function SecondFactorCard({ user }: { user: Session['user'] }): ReactNode {
  const { t } = useTranslation()
  const setUp = useDialog<undefined>()
  const remove = useDialog<undefined>()
  return (
    <Card
      title={t('settings.factor.title')}
      text={t('settings.factor.text')}
      aside={
        <Badge color={user.secondFactor ? 'teal' : 'gray'}>
          {t(user.secondFactor ? 'settings.factor.on' : 'settings.factor.off')}
        </Badge>
      }
      action={
        user.secondFactor ? (
          <Button onClick={() => remove.open(undefined)}>{t('settings.factor.remove')}</Button>
        ) : (
          <Button variant="filled" onClick={() => setUp.open(undefined)}>
            {t('settings.factor.setUp')}
          </Button>
        )
      }
    >
      {setUp.render((dialog) => (
        <SecondFactorDialog {...dialog} />
      ))}
      {remove.render((dialog) => (
        <RemoveDialog {...dialog} />
      ))}
    </Card>
  )
}

function RemoveDialog(dialog: DialogProps): ReactNode {
  const { t } = useTranslation()
  const [typed, setTyped] = useState({ password: '', code: '' })
  const remove = useMutation({
    mutationFn: () => shop.delete('/admin/auth/totp', { body: typed }),
    onSuccess: () => {
      dialog.onClose()
      noticeDone(t('settings.factor.removed'))
      return queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
    },
  })
  return (
    <FormDialog
      {...dialog}
      title={t('settings.factor.removeTitle')}
      action={t('settings.factor.remove')}
      isDangerous
      isPending={remove.isPending}
      error={remove.error}
      onSubmit={() => remove.mutate()}
    >
      <ReauthenticationFields needsCode value={typed} onChange={setTyped} />
    </FormDialog>
  )
}
