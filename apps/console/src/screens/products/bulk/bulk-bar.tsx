import { Button, CloseButton, Group, Paper, Progress, Text } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { TypedConfirmation } from '../../../parts/typed-confirmation.tsx'
import { useDialog } from '../../../parts/use-dialog.tsx'
import type { PickedProducts } from '../use-picked-products.ts'
import { ActionButtons } from './action-buttons.tsx'
import classes from '../../../parts/save-bar.module.css'
import { BulkDialog } from './bulk-dialog.tsx'
import type { BulkSelection } from './bulk-queries.ts'
import type { BulkActionName } from './change-draft.ts'
import { DeleteFailures } from './delete-failures.tsx'
import { useDeleteProducts } from './use-delete-products.ts'

interface BulkBarProps {
  picked: PickedProducts
  categoryNames: ReadonlyMap<string, string>
}

/** A bulk edit of the products that were picked when its dialog opened. */
interface Wanted {
  action: BulkActionName
  products: BulkSelection
  count: number
}

/** How many products are picked, and what can be done to them. */
export function BulkBar({ picked, categoryNames }: BulkBarProps): ReactNode {
  const { t } = useTranslation()
  const deletion = useDeleteProducts(picked.pick)
  const [deleting, setDeleting] = useState(false)
  const { open, render } = useDialog<Wanted>()
  const { count, products, selection } = picked
  return (
    <>
      {(count > 0 || deletion.running) && (
        <Paper
          withBorder
          shadow="md"
          p="sm"
          className={classes['bar']}
          component="section"
          aria-label={t('products.bulk.label')}
        >
          {deletion.running ? (
            <Running {...deletion.running} />
          ) : (
            <Picked
              picked={picked}
              onOpen={(action) => open({ action, products: selection, count })}
              onDelete={() => setDeleting(true)}
            />
          )}
        </Paper>
      )}
      {render((dialog, wanted) => (
        <BulkDialog
          {...dialog}
          {...wanted}
          categoryNames={categoryNames}
          onStarted={() => {
            dialog.onClose()
            picked.clear()
          }}
        />
      ))}
      <TypedConfirmation
        opened={deleting}
        title={t('products.bulk.deleteTitle', { count })}
        text={t('products.bulk.deleteText')}
        word={t('products.bulk.deleteWord')}
        action={t('products.bulk.deleteAction', { count })}
        onClose={() => setDeleting(false)}
        onConfirm={() => void deletion.start(products)}
      />
      <DeleteFailures failures={deletion.failures} onClose={deletion.closeFailures} />
    </>
  )
}

interface PickedProps {
  picked: PickedProducts
  onOpen: (action: BulkActionName) => void
  onDelete: () => void
}

function Picked({ picked, onOpen, onDelete }: PickedProps): ReactNode {
  const { t } = useTranslation()
  const { count, total, canPickAll, hasAll, pickAll, clear } = picked
  return (
    <Group gap="xs">
      <Text fw={600} role="status">
        {t('products.bulk.picked', { count })}
      </Text>
      {canPickAll && (
        <Button size="compact-sm" variant="subtle" onClick={pickAll}>
          {t('products.bulk.pickAll', { count: total })}
        </Button>
      )}
      {/* Only what is on the screen is deleted. */}
      <ActionButtons onOpen={onOpen} {...(!hasAll && { onDelete })} />
      <CloseButton ml="auto" onClick={clear} aria-label={t('products.bulk.clear')} />
    </Group>
  )
}

function Running({ done, count }: { done: number; count: number }): ReactNode {
  const { t } = useTranslation()
  const label = t('products.bulk.progress', { done, count })
  return (
    <>
      <Text mb={4}>{label}</Text>
      <Progress value={(100 * done) / count} aria-label={label} />
    </>
  )
}
