import { List, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Difference } from './differences.ts'
import { useWordsOf } from './use-words-of.ts'

interface DifferenceListProps {
  differences: readonly Difference[]
  currency: string
}

/** What differs between two configurations, a sentence each. */
export function DifferenceList({ differences, currency }: DifferenceListProps): ReactNode {
  const { t } = useTranslation()
  const wordsOf = useWordsOf(currency)
  if (differences.length === 0) return <Text>{t('storefront.difference.none')}</Text>
  return (
    <List size="sm" spacing={2} aria-label={t('storefront.difference.label')}>
      {differences.map((difference, index) => (
        <List.Item key={index} className="wrap">
          {wordsOf(difference)}
        </List.Item>
      ))}
    </List>
  )
}
