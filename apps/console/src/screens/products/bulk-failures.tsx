import { List, Modal, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { BulkFailure } from './bulk-edit.ts'

export interface NamedFailure extends BulkFailure {
  title: string
}

/** The products that a bulk edit could not change, with the reasons. */
export function BulkFailures({
  failures,
  onClose,
}: {
  failures: readonly NamedFailure[]
  onClose: () => void
}): ReactNode {
  const { t } = useTranslation()
  return (
    <Modal
      opened={failures.length > 0}
      onClose={onClose}
      title={t('products.bulk.failed', { count: failures.length })}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <List size="sm" spacing="xs">
        {failures.map(({ id, title, message }) => (
          <List.Item key={id}>
            <Text size="sm" fw={600}>
              {title}
            </Text>
            {message}
          </List.Item>
        ))}
      </List>
    </Modal>
  )
}
