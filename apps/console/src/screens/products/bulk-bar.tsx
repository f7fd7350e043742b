import { Button, CloseButton, Group, Paper, Progress, Text } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { TypedConfirmation } from '../../parts/typed-confirmation.tsx'
import classes from './bulk-bar.module.css'
import { BulkFailures } from './bulk-failures.tsx'
import type { AdminProduct } from './products-queries.ts'
import { useBulkEdit } from './use-bulk-edit.ts'

interface BulkBarProps {
  products: readonly AdminProduct[]
  /** Called with the ids that stay picked. */
  onDone: (left: readonly string[]) => void
}

/** What can be done to the picked products, and how far it is. */
export function BulkBar({ products, onDone }: BulkBarProps): ReactNode {
  const { t } = useTranslation()
  const [deleting, setDeleting] = useState(false)
  const { running, failures, closeFailures, start } = useBulkEdit(products, onDone)
  const count = products.length
  return (
    <>
      {(count > 0 || running) && (
        <Paper
          withBorder
          shadow="md"
          p="sm"
          className={classes['bar']}
          component="section"
          aria-label={t('products.bulk.label')}
        >
          {running ? (
            <Running {...running} />
          ) : (
            <Group gap="xs">
              <Text size="sm" fw={600} role="status">
                {t('products.bulk.picked', { count })}
              </Text>
              <Button size="xs" variant="default" onClick={() => void start('publish')}>
                {t('products.bulk.publish')}
              </Button>
              <Button size="xs" variant="default" onClick={() => void start('unpublish')}>
                {t('products.bulk.unpublish')}
              </Button>
              <Button size="xs" variant="light" color="red" onClick={() => setDeleting(true)}>
                {t('products.bulk.delete')}
              </Button>
              <CloseButton ml="auto" onClick={() => onDone([])} aria-label={t('products.bulk.clear')} />
            </Group>
          )}
        </Paper>
      )}
      <TypedConfirmation
        opened={deleting}
        title={t('products.bulk.deleteTitle', { count })}
        text={t('products.bulk.deleteText')}
        word={t('products.bulk.deleteWord')}
        action={t('products.bulk.deleteAction', { count })}
        onClose={() => setDeleting(false)}
        onConfirm={() => void start('delete')}
      />
      <BulkFailures failures={failures} onClose={closeFailures} />
    </>
  )
}

function Running({ done, count }: { done: number; count: number }): ReactNode {
  const { t } = useTranslation()
  const label = t('products.bulk.progress', { done, count })
  return (
    <>
      <Text size="sm" mb={4}>
        {label}
      </Text>
      <Progress value={(100 * done) / count} aria-label={label} />
    </>
  )
}
