import { Text } from '@mantine/core'
import { Trans, useTranslation } from 'react-i18next'
import type { ReactNode } from 'react'
import { useActorName } from '../../parts/actor-name.ts'
import { ConflictFrame, type ConflictHandlers } from '../../parts/conflict-dialog.tsx'
import { RelativeTime } from '../../parts/relative-time.tsx'
import { DifferenceList } from './difference-list.tsx'
import type { Conflict } from './save-storefront.ts'
import { useLabelOf } from './use-words-of.ts'

interface ConflictDialogProps extends ConflictHandlers {
  conflict: Conflict
  currency: string
}

/** Someone else saved first: shows who and what, and lets the person decide. */
export function ConflictDialog({ conflict, currency, ...handlers }: ConflictDialogProps): ReactNode {
  const { t } = useTranslation()
  const nameOf = useActorName()
  const labelOf = useLabelOf()
  const { by, theirDifferences, myDifferences, overlap } = conflict
  return (
    <ConflictFrame size="lg" both={overlap.map(labelOf).join(', ')} {...handlers}>
      {by && (
        <Text>
          <Trans
            i18nKey="storefront.conflict.who"
            values={{ name: by.actor === undefined ? t('common.conflict.someone') : nameOf(by.actor) }}
            components={{ time: <RelativeTime at={by.at} />, b: <b /> }}
          />
        </Text>
      )}
      <DifferenceList differences={theirDifferences} currency={currency} />
      <Text>{t('storefront.conflict.mine')}</Text>
      <DifferenceList differences={myDifferences} currency={currency} />
    </ConflictFrame>
  )
}
