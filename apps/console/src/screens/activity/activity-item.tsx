import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { orderAddress, productAddress } from '../../parts/record-links.ts'
import { HistoryEntry } from '../../parts/history-entry.tsx'
import type { ActivityEntry } from './activity-queries.ts'
import { activitySentence } from './activity-sentence.ts'

/** Who did what, as a sentence of the shop. */
export function ActivityItem({ entry }: { entry: ActivityEntry }): ReactNode {
  const { t } = useTranslation()
  const { actor, summary, at, action, changes = [] } = entry
  const sentence = activitySentence(entry, t)
  return (
    <HistoryEntry
      at={at}
      actor={`${actor.name ?? actor.email ?? t(`common.unnamed.${actor.kind}`)}:`}
      sentence={
        <>
          {/* The shop writes its own sentences in English. */}
          {sentence ?? <span lang="en">{summary}</span>} <SubjectLink entry={entry} />
        </>
      }
      // The shop's sentence of an import has all of its counts.
      changes={action === 'import' && sentence === undefined ? [] : changes}
      details={t('activity.details')}
    />
  )
}

function SubjectLink({ entry: { action, subject } }: { entry: ActivityEntry }): ReactNode {
  const { t } = useTranslation()
  const target = action === 'delete' ? undefined : TARGETS[subject.kind]?.(subject)
  if (!target) return null
  return (
    <Anchor
      underline="always"
      aria-label={t('activity.openNamed', { name: subject.name ?? subject.id })}
      renderRoot={(props) => <Link {...props} to={target.to} search={target.search ?? {}} />}
    >
      {t('activity.open')}
    </Anchor>
  )
}

interface Target {
  to: string
  search?: Record<string, string>
}

/** The screens that show a record. */
const TARGETS: Record<string, (subject: ActivityEntry['subject']) => Target> = {
  order: ({ id }) => ({ to: orderAddress(id) }),
  product: ({ id }) => ({ to: productAddress(id) }),
  discount: ({ id }) => ({ to: '/discounts/code', search: { code: id } }),
  variant: ({ id, name }) => ({ to: '/stock', search: { variant: id, ...(name !== undefined && { name }) } }),
}
