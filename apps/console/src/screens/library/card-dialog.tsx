import { Autocomplete, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { AlreadyExists } from '../../parts/already-exists.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import type { DialogProps } from '../../parts/use-dialog.tsx'
import { textsOf, vocabularyQuery, type Card, type CardKind } from './library-queries.ts'
import { requireNewCard, saveItem, type ItemBody } from './save-item.ts'

interface CardDialogProps extends DialogProps {
  kind: CardKind
  /** Undefined for a new one. */
  card: Card | undefined
}

interface CardValues {
  icon: string
  title: string
  text: string
}

/** The icon and the texts of a feature or an assurance. */
export function CardDialog({ kind, card, ...dialog }: CardDialogProps): ReactNode {
  const { t } = useTranslation()
  const icons = useQuery(vocabularyQuery).data?.icons ?? []
  const [initialValues] = useState<CardValues>(() =>
    card ? { icon: card.icon, ...textsOf(card) } : { icon: '', title: '', text: '' },
  )
  const required = (text: string): string | null => (text.trim() === '' ? t('library.fillIn') : null)
  const form = useForm({ initialValues, validate: { icon: required, title: required } })
  const save = useMutation({
    mutationFn: async (values: CardValues) => {
      if (!card) await requireNewCard(kind, values)
      const body = { ...bodyOf(kind, values), ...(card && { id: card.id }) }
      return saveItem(kind, values.title, card && { ...card }, body)
    },
    onSuccess: dialog.onClose,
    onError: (error) => {
      if (error instanceof AlreadyExists) form.setFieldError('title', error.message)
    },
  })
  return (
    <FormDialog
      {...dialog}
      title={card ? t('library.editOf', { name: textsOf(card).title }) : t(`library.new.${kind}`)}
      size="lg"
      isPending={save.isPending}
      isDisabled={card !== undefined && !form.isDirty()}
      error={save.error instanceof AlreadyExists ? null : save.error}
      onSubmit={form.onSubmit((values) => save.mutate(values))}
    >
      <TextInput label={t(`library.title.${kind}`)} data-autofocus maxLength={200} {...form.getInputProps('title')} />
      <Textarea
        label={t('library.field.text')}
        maxRows={8}
        maxLength={kind === 'features' ? 2000 : 500}
        {...form.getInputProps('text')}
      />
      <Autocomplete
        label={t('library.field.icon')}
        description={t('library.iconHint')}
        data={[...icons]}
        maxDropdownHeight={200}
        {...form.getInputProps('icon')}
      />
    </FormDialog>
  )
}

function bodyOf(kind: CardKind, { icon, title, text }: CardValues): ItemBody {
  if (kind === 'features') return { icon: icon.trim(), title: title.trim(), body: text.trim() }
  return { icon: icon.trim(), label: title.trim(), ...(text.trim() !== '' && { note: text.trim() }) }
}
