import { Alert, Anchor, List, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { productAddress } from '../../../parts/record-links.ts'
import { BulkScroll } from './bulk-scroll.tsx'
import type { BulkProblem } from './bulk-queries.ts'

interface BulkProblemsProps {
  /** How many products could not be changed, or cannot be. */
  count: number
  /** The first of them. */
  problems: readonly BulkProblem[]
  title: string
}

/** Products that a bulk edit cannot change, with the reasons. */
export function BulkProblems({ count, problems, title }: BulkProblemsProps): ReactNode {
  const { t } = useTranslation()
  if (count === 0) return null
  return (
    <Alert color="red" title={title}>
      <BulkScroll label={title}>
        <List size="sm" spacing={4}>
          {problems.map((problem) => (
            <List.Item key={problem.id}>
              <ProductName problem={problem} />{' '}
              {/* The shop writes its sentences in English; the reasons that have no details have a text here. */}
              {problem.reason === 'not-possible' ? (
                <span lang="en">{problem.message}</span>
              ) : (
                t(`products.bulk.reason.${problem.reason}`)
              )}
            </List.Item>
          ))}
        </List>
        {count > problems.length && (
          <Text mt={4}>{t('products.bulk.moreProblems', { count: count - problems.length })}</Text>
        )}
      </BulkScroll>
    </Alert>
  )
}

function ProductName({ problem: { id, title, reason } }: { problem: BulkProblem }): ReactNode {
  if (reason === 'deleted') return <b>{title ?? id}:</b>
  return (
    <Anchor
      inherit
      fw={600}
      c="var(--mantine-color-text)"
      underline="always"
      renderRoot={(props) => <Link {...props} to={productAddress(id)} />}
    >
      {title ?? id}:
    </Anchor>
  )
}
