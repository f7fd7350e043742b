import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { Trans, useTranslation } from 'react-i18next'
import type { ReactNode } from 'react'
import { useActorName } from '../../parts/actor-name.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { RelativeTime } from '../../parts/relative-time.tsx'
import { DifferenceList } from './difference-list.tsx'
import type { Conflict } from './save-storefront.ts'
import { useLabelOf } from './use-words-of.ts'

interface ConflictDialogProps {
  conflict: Conflict
  currency: string
  onClose: () => void
  onLoadTheirs: () => void
  onKeepMine: () => void
}

/** Someone else saved first: shows who and what, and lets the person decide. */
export function ConflictDialog({
  conflict,
  currency,
  onClose,
  onLoadTheirs,
  onKeepMine,
}: ConflictDialogProps): ReactNode {
  const { t } = useTranslation()
  const nameOf = useActorName()
  const labelOf = useLabelOf()
  const { by, theirDifferences, myDifferences, overlap } = conflict
  return (
    <Dialog opened onClose={onClose} size="lg" title={t('storefront.conflict.title')}>
      <Stack gap="sm">
        {by && (
          <Text size="sm">
            <Trans
              i18nKey="storefront.conflict.who"
              values={{ name: by.actor === undefined ? t('storefront.conflict.someone') : nameOf(by.actor) }}
              components={{ time: <RelativeTime at={by.at} />, b: <b /> }}
            />
          </Text>
        )}
        <DifferenceList differences={theirDifferences} currency={currency} />
        <Text size="sm">{t('storefront.conflict.mine')}</Text>
        <DifferenceList differences={myDifferences} currency={currency} />
        {overlap.length > 0 && (
          <Alert color="orange">{t('storefront.conflict.both', { fields: overlap.map(labelOf).join(', ') })}</Alert>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onLoadTheirs}>
            {t('storefront.conflict.loadTheirs')}
          </Button>
          <Button onClick={onKeepMine} data-autofocus>
            {overlap.length > 0 ? t('storefront.conflict.overwrite') : t('storefront.conflict.keepBoth')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
