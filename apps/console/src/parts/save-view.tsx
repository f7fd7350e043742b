import { Button, Text, TextInput } from '@mantine/core'
import { StorefrontError } from '@storefront/client'
import { useMutation } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FormDialog } from './form-dialog.tsx'
import { noticeDone } from './notices.ts'
import { useDialog, type DialogProps } from './use-dialog.tsx'
import { saveView, type ViewScreen } from './views-queries.ts'

const MAX_NAME_LENGTH = 100

interface SaveViewProps {
  screen: ViewScreen
  /** The search string of the address bar. */
  query: string
}

/** Keeps the current filters under a name. */
export function SaveView(props: SaveViewProps): ReactNode {
  const { t } = useTranslation()
  const { open, render } = useDialog<SaveViewProps>()
  return (
    <>
      <Button size="compact-sm" variant="subtle" onClick={() => open(props)}>
        {t('common.views.save')}
      </Button>
      {render((dialog, target) => (
        <NameDialog {...dialog} {...target} />
      ))}
    </>
  )
}

function NameDialog({ screen, query, ...dialog }: SaveViewProps & DialogProps): ReactNode {
  const { t } = useTranslation()
  const [name, setName] = useState('')
  const saving = useMutation({
    mutationFn: () => saveView(screen, name.trim(), query),
    onSuccess: () => {
      dialog.onClose()
      noticeDone(t('common.views.saved', { name: name.trim() }))
    },
  })
  const isTaken = saving.error instanceof StorefrontError && saving.error.code === 'conflict'
  return (
    <FormDialog
      {...dialog}
      title={t('common.views.title')}
      isPending={saving.isPending}
      isDisabled={name.trim() === ''}
      error={isTaken ? undefined : saving.error}
      onSubmit={() => saving.mutate()}
    >
      <Text>{t('common.views.text')}</Text>
      <TextInput
        data-autofocus
        label={t('common.views.name')}
        maxLength={MAX_NAME_LENGTH}
        autoComplete="off"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={isTaken ? t('common.views.taken') : undefined}
      />
    </FormDialog>
  )
}
