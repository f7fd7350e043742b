import { TagsInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { mergeTags, tagKey } from '../../parts/merge-tags.ts'
import { MAX_TAG_LENGTH } from './order-filters.ts'
import type { OrderDialogProps } from './order-dialog.ts'
import { orderTagsQuery } from './orders-queries.ts'
import { useOrderChange } from './use-order-change.ts'

const MAX_TAGS = 20
const SHOWN_CHOICES = 20

/** The tags of an order, with those of other orders as suggestions. */
export function TagsDialog({ order, ...dialog }: OrderDialogProps): ReactNode {
  const { t } = useTranslation()
  const { number } = order
  const change = useOrderChange(order)
  const known = useQuery(orderTagsQuery).data ?? []
  // The order may be read again while the dialog is open.
  const [former] = useState(order.tags ?? [])
  const [tags, setTags] = useState(former)
  const [typed, setTyped] = useState('')
  return (
    <FormDialog
      title={t('orders.tags.of', { number })}
      isPending={change.isPending}
      {...dialog}
      onSubmit={() =>
        change.mutate(
          {
            body: (current) => ({ tags: mergeTags(former, tags, current.tags ?? []) }),
            done: t('orders.done.tags'),
            undo: (current) => ({ tags: mergeTags(tags, former, current.tags ?? []) }),
          },
          { onSuccess: dialog.onClose },
        )
      }
    >
      <TagsInput
        data-autofocus
        label={t('orders.tags.title')}
        description={t('orders.tags.hint')}
        data={known}
        limit={SHOWN_CHOICES}
        maxTags={MAX_TAGS}
        maxLength={MAX_TAG_LENGTH}
        acceptValueOnBlur
        isDuplicate={(tag, others) => others.some((other) => tagKey(other) === tagKey(tag))}
        searchValue={typed}
        onSearchChange={setTyped}
        // Opened before anything is typed, it would only hide the button below.
        dropdownOpened={typed.trim() !== ''}
        value={tags}
        onChange={setTags}
      />
    </FormDialog>
  )
}
