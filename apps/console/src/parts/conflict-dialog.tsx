import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Trans, useTranslation } from 'react-i18next'
import { Dialog } from './dialog.tsx'
import type { Change } from './last-change.ts'
import { RelativeTime } from './relative-time.tsx'

export interface ConflictHandlers {
  onClose: () => void
  onLoadTheirs: () => void
  onKeepMine: () => void
}

interface ConflictFrameProps extends ConflictHandlers {
  size?: 'md' | 'lg'
  /** Names of the fields that both have changed. */
  both: string
  /** Who has changed what. */
  children: ReactNode
}

/** Someone else saved first: lets the person decide. */
export function ConflictFrame(props: ConflictFrameProps): ReactNode {
  const { size = 'md', both, onClose, onLoadTheirs, onKeepMine, children } = props
  const { t } = useTranslation()
  return (
    <Dialog opened onClose={onClose} size={size} title={t('common.conflict.title')}>
      <Stack gap="sm">
        {children}
        {both !== '' && <Alert color="orange">{t('common.conflict.both', { fields: both })}</Alert>}
        <Group justify="flex-end">
          <Button onClick={onLoadTheirs}>{t('common.conflict.loadTheirs')}</Button>
          <Button variant="filled" onClick={onKeepMine} data-autofocus>
            {both !== '' ? t('common.conflict.overwrite') : t('common.conflict.keepBoth')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

interface ConflictDialogProps extends ConflictHandlers {
  /** Undefined when it is not known who it was. */
  by: Change | undefined
  /** The sentence that is shown when it is not known who it was. */
  otherwise: string
  /** Names of the fields that others changed; `mine` names those that this person changed. */
  theirs: string
  mine: string
  both: string
}

/** A conflict dialog that names the other person and the changed fields. */
export function ConflictDialog({ by, otherwise, theirs, mine, ...frame }: ConflictDialogProps): ReactNode {
  const { t } = useTranslation()
  return (
    <ConflictFrame {...frame}>
      {by ? (
        <Text>
          <Trans
            i18nKey="common.conflict.who"
            values={{
              name: by.name ?? t(by.isSchedule ? 'common.unnamed.schedule' : 'common.conflict.someone'),
              fields: theirs,
            }}
            components={{ time: <RelativeTime at={by.at} />, b: <b /> }}
          />
        </Text>
      ) : (
        <Text>{otherwise}</Text>
      )}
      <Text>{t('common.conflict.mine', { fields: mine })}</Text>
    </ConflictFrame>
  )
}
