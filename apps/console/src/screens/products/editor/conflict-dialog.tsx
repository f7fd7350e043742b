import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core'
import { Trans, useTranslation } from 'react-i18next'
import type { ReactNode } from 'react'
import { RelativeTime } from '../../../parts/relative-time.tsx'
import type { Conflict } from './conflict.ts'
import { useFieldNames } from './use-field-names.ts'

interface ConflictDialogProps {
  conflict: Conflict
  onClose: () => void
  onLoadTheirs: () => void
  onKeepMine: () => void
}

/** Someone else was faster: says who and what, and lets the person decide. */
export function ConflictDialog({ conflict, onClose, onLoadTheirs, onKeepMine }: ConflictDialogProps): ReactNode {
  const { t } = useTranslation()
  const namesOf = useFieldNames()
  const { by, theirFields, myFields } = conflict
  const both = myFields.filter((field) => theirFields.includes(field))
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('products.conflict.title')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <Stack gap="sm">
        {by ? (
          <Text size="sm">
            <Trans
              i18nKey="products.conflict.who"
              values={{
                name: by.name ?? t(by.isSchedule ? 'activity.unnamed.schedule' : 'products.conflict.someone'),
                fields: namesOf(theirFields),
              }}
              components={{ time: <RelativeTime at={by.at} />, b: <b /> }}
            />
          </Text>
        ) : (
          <Text size="sm">{t('products.conflict.stock')}</Text>
        )}
        <Text size="sm">{t('products.conflict.mine', { fields: namesOf(myFields) })}</Text>
        {both.length > 0 && <Alert color="orange">{t('products.conflict.both', { fields: namesOf(both) })}</Alert>}
        <Group justify="flex-end">
          <Button variant="default" onClick={onLoadTheirs}>
            {t('products.conflict.loadTheirs')}
          </Button>
          <Button onClick={onKeepMine} data-autofocus>
            {both.length > 0 ? t('products.conflict.overwrite') : t('products.conflict.keepBoth')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
