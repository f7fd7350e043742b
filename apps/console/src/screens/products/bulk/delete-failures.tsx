import { List, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../../parts/dialog.tsx'
import type { DeleteFailure } from './delete-products.ts'

export interface NamedFailure extends DeleteFailure {
  title: string
}

/** The products that could not be deleted, with the reasons. */
export function DeleteFailures({
  failures,
  onClose,
}: {
  failures: readonly NamedFailure[]
  onClose: () => void
}): ReactNode {
  const { t } = useTranslation()
  return (
    <Dialog
      opened={failures.length > 0}
      onClose={onClose}
      title={t('products.bulk.notDeleted', { count: failures.length })}
    >
      <List size="sm" spacing="xs">
        {failures.map(({ id, title, message }) => (
          <List.Item key={id}>
            <Text fw={600}>{title}</Text>
            {message}
          </List.Item>
        ))}
      </List>
    </Dialog>
  )
}
