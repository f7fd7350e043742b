import { Group, Stack, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useHotkeys } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { AlreadyExists } from '../../parts/already-exists.ts'
import { Card } from '../../parts/card.tsx'
import type { Edit } from '../../parts/edit-conflict.ts'
import { SaveBar } from '../../parts/save-bar.tsx'
import { showSaved, useStored } from '../../parts/stored-form.ts'
import { UnsavedChangesGuard } from '../../parts/unsaved-changes-guard.tsx'
import { useEditConflict } from '../../parts/use-edit-conflict.tsx'
import { useCan } from '../../session.ts'
import { isConflict, messageOf } from '../../shop.ts'
import { changeSizeChart, createSizeChart, readSizeChart } from './save-size-chart.ts'
import { focusCell, SizeChartGrid } from './size-chart-grid.tsx'
import { firstFault, type SizeChartValues } from './size-chart-values.ts'

interface SizeChartFormProps {
  stored: SizeChartValues
  isNew: boolean
  onCreated: (id: string) => void
}

/** Name, unit and table of a size chart. */
export function SizeChartForm({ stored, isNew, onCreated }: SizeChartFormProps): ReactNode {
  const { t } = useTranslation()
  const canWrite = useCan()('catalog:write')
  const [showsFaults, setShowsFaults] = useState(false)
  const form = useForm<SizeChartValues>({
    initialValues: stored,
    validate: { id: (id) => (id.trim() === '' ? t('sizeCharts.fault.name') : null) },
  })
  const save = useMutation({
    mutationFn: async ({ before, after }: Edit<SizeChartValues>) => {
      if (!isNew) return changeSizeChart(before, after)
      await createSizeChart(after)
      return after
    },
    onSuccess: (saved, { after }) => {
      showSaved(form, after, saved)
      setShowsFaults(false)
      if (isNew) onCreated(saved.id.trim())
    },
    onError: (error, { before }) => {
      if (error instanceof AlreadyExists) form.setFieldError('id', error.message)
      else if (!isNew) void conflict.find(error, before)
    },
  })
  const conflict = useEditConflict<SizeChartValues>(
    {
      kind: 'size-chart',
      id: stored.id,
      fields: [
        { label: t('sizeCharts.field.unit'), keys: ['unit'] },
        { label: t('sizeCharts.field.note'), keys: ['note'] },
        { label: t('sizeCharts.table'), keys: ['columns', 'rows'] },
      ],
      read: () => readSizeChart(stored.id),
    },
    form,
    (before, after) => save.mutate({ before, after }),
  )
  const isDirty = form.isDirty()

  useStored(form, stored, save.isPending)

  function submit(): void {
    if (!isDirty || save.isPending) return
    setShowsFaults(true)
    const cell = firstFault(form.values)
    if (form.validate().hasErrors) return
    if (cell) focusCell(cell)
    else save.mutate({ before: form.getInitialValues(), after: form.values })
  }
  useHotkeys([['mod+S', submit]], [])

  const fault = showsFaults && firstFault(form.values) ? t('sizeCharts.fault.cells') : undefined
  const showsError = save.error && !(save.error instanceof AlreadyExists) && !isConflict(save.error)
  return (
    <Stack maw={960}>
      <Card title={t('sizeCharts.texts')}>
        <Group align="flex-start">
          <TextInput
            label={t('sizeCharts.field.name')}
            description={t('sizeCharts.nameHint')}
            {...form.getInputProps('id')}
            disabled={!canWrite}
            readOnly={!isNew}
            autoFocus={isNew}
            maxLength={200}
            flex={1}
            miw={200}
          />
          <TextInput
            label={t('sizeCharts.field.unit')}
            description={t('sizeCharts.unitHint')}
            {...form.getInputProps('unit')}
            disabled={!canWrite}
            maxLength={50}
            w={180}
          />
        </Group>
        <Textarea
          mt="sm"
          label={t('sizeCharts.field.note')}
          {...form.getInputProps('note')}
          disabled={!canWrite}
          minRows={1}
          maxRows={6}
          maxLength={2000}
        />
      </Card>
      <Card title={t('sizeCharts.table')} text={t('sizeCharts.tableHint')}>
        <SizeChartGrid
          values={form.values}
          canWrite={canWrite}
          showsFaults={showsFaults}
          onChange={(values) => form.setValues(values)}
        />
      </Card>
      {isDirty && (
        <SaveBar
          action={t(isNew ? 'sizeCharts.create' : 'common.save')}
          isSaving={save.isPending}
          fault={showsError ? messageOf(save.error) : fault}
          onSave={submit}
          onDiscard={() => {
            form.reset()
            save.reset()
            setShowsFaults(false)
          }}
        />
      )}
      {conflict.dialog}
      <UnsavedChangesGuard isDirty={isDirty} />
    </Stack>
  )
}
