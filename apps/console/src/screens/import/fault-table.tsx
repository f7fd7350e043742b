import { Button, Group, Text, Textarea, TextInput } from '@mantine/core'
import { DownloadIcon } from '@radix-ui/react-icons'
import { t } from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Card } from '../../parts/card.tsx'
import { DataTable, type Column } from '../../parts/data-table.tsx'
import { saveFile } from '../../parts/download.ts'
import type { Corrections } from './corrections.ts'
import { faultsAsCsv } from './faults-as-csv.ts'
import type { Fault } from './faults.ts'

interface FaultTableProps {
  faults: readonly Fault[]
  /** How many there are, when only the first are shown. */
  total: number
  corrections?: Corrections
  /** Undefined where the file is gone, so that no cell can be corrected. */
  onCorrect?: (start: number, value: string) => void
}

/** What is wrong in a file and what to do, cell by cell. */
export function FaultTable({ faults, total, corrections, onCorrect }: FaultTableProps): ReactNode {
  const { t } = useTranslation()
  const canCorrect = onCorrect !== undefined && faults.some(({ cell }) => cell)
  const headings = [t('import.fault.row'), t('import.fault.column'), t('import.fault.value'), t('import.fault.what')]
  const columns: Column<Fault>[] = [
    { id: 'row', header: t('import.fault.row'), number: true, secondary: true, cell: ({ row }) => row ?? '' },
    { id: 'column', header: t('import.fault.column'), secondary: true, cell: ({ column }) => column },
    {
      id: 'value',
      header: t('import.fault.value'),
      cell: (fault) => (
        <>
          <Text className="small dimmed" hiddenFrom="sm">
            {placeOf(fault)}
          </Text>
          <FaultValue fault={fault} corrections={corrections} onCorrect={onCorrect} />
        </>
      ),
    },
    {
      id: 'what',
      header: t('import.fault.what'),
      cell: ({ message }) => <span className="wrap">{message}</span>,
    },
  ]
  return (
    <Card
      title={t('import.faults', { count: total })}
      text={canCorrect ? t('import.correctHere') : t('import.correctInFile')}
      action={
        <Button
          leftSection={<DownloadIcon />}
          onClick={() => saveFile(t('import.fault.file'), faultsAsCsv(headings, faults))}
        >
          {t('import.fault.download')}
        </Button>
      }
    >
      <Group mt="xs" grow>
        <DataTable
          label={t('import.fault.table')}
          columns={columns}
          rows={faults}
          rowId={({ id }) => id}
          empty={null}
        />
      </Group>
      {total > faults.length && (
        <Text c="dimmed" mt="xs">
          {t('import.fault.more', { shown: faults.length, total })}
        </Text>
      )}
    </Card>
  )
}

interface FaultValueProps {
  fault: Fault
  corrections: Corrections | undefined
  onCorrect: FaultTableProps['onCorrect']
}

function FaultValue({ fault, corrections, onCorrect }: FaultValueProps): ReactNode {
  const { cell, value } = fault
  if (!cell || !onCorrect) return <span className="wrap">{value}</span>
  const Input = value.includes('\n') ? Textarea : TextInput
  return (
    <Input
      size="xs"
      miw={120}
      aria-label={placeOf(fault)}
      value={corrections?.get(cell.start) ?? value}
      error={corrections?.has(cell.start) !== true}
      withErrorStyles
      onChange={(event) => onCorrect(cell.start, event.currentTarget.value)}
    />
  )
}

function placeOf({ row, column }: Fault): string {
  return [row === undefined ? '' : t('import.fault.inRow', { row }), column].filter((part) => part !== '').join(', ')
}
