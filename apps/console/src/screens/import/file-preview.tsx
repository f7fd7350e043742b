import { Alert, Button, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { CsvChoices } from '@storefront/contracts/product-csv'
import { Card } from '../../parts/card.tsx'
import { withChoice } from './column-meanings.ts'
import { withSuggestions } from './column-suggestions.ts'
import { ColumnTable } from './column-table.tsx'
import type { ImportFile } from './import-file.ts'
import type { ImportOptions } from './import-types.ts'
import { rememberChoices } from './remembered-choices.ts'
import { useContents } from './use-contents.ts'
import type { CsvReading } from './use-csv-columns.ts'
import { useTargetName } from './use-target-name.ts'

interface FilePreviewProps {
  file: ImportFile
  /** Undefined for a file that is no CSV. */
  reading: CsvReading | undefined
  options: ImportOptions
  isDisabled: boolean
  onChange: (options: ImportOptions) => void
}

/** The beginning of a file, as the shop reads it. */
export function FilePreview({ file, reading, options, isDisabled, onChange }: FilePreviewProps): ReactNode {
  const { t } = useTranslation()
  return (
    <Card title={t('import.preview')} {...(reading && { text: t('import.previewText') })}>
      {reading ? (
        <CsvPreview
          reading={reading}
          choices={options.columns}
          isDisabled={isDisabled}
          onChoose={(columns) => onChange({ ...options, columns })}
        />
      ) : (
        <FileContents file={file} />
      )}
    </Card>
  )
}

interface CsvPreviewProps {
  reading: CsvReading
  choices: CsvChoices
  isDisabled: boolean
  onChoose: (choices: CsvChoices) => void
}

/** How the shop reads a CSV, and what the merchant says about its columns. */
function CsvPreview({ reading, choices, isDisabled, onChoose }: CsvPreviewProps): ReactNode {
  const { t } = useTranslation()
  const { header, rows, attributes, own, columns, missing } = reading
  const nameOf = useTargetName(attributes)
  if (typeof own === 'string') return <HeaderProblem text={own} />
  if (typeof columns === 'string') return <HeaderProblem text={columns} />
  const suggested = withSuggestions(columns, attributes, choices)

  function choose(next: CsvChoices): void {
    rememberChoices(header, next, attributes)
    onChoose(next)
  }

  return (
    <>
      <div role="status">
        {missing.length > 0 && (
          <Alert color="orange" title={t('import.missing')} my="sm">
            {t('import.missingFields', { fields: missing.map(nameOf).join(', ') })}
          </Alert>
        )}
      </div>
      {suggested.size > choices.size && (
        <Group my="xs">
          <Button size="xs" disabled={isDisabled} onClick={() => choose(suggested)}>
            {t('import.takeSuggestions', { count: suggested.size - choices.size })}
          </Button>
        </Group>
      )}
      <ColumnTable
        columns={columns}
        own={own}
        rows={rows}
        attributes={attributes}
        isIncomplete={missing.length > 0}
        isDisabled={isDisabled}
        onChoose={(name, ownTarget, target) => choose(withChoice(choices, name, ownTarget, target))}
      />
    </>
  )
}

function HeaderProblem({ text }: { text: string }): ReactNode {
  const { t } = useTranslation()
  return (
    <Alert color="orange" title={t('import.header')} my="sm">
      {text}
    </Alert>
  )
}

/** What a file of another type holds. */
function FileContents({ file }: { file: ImportFile }): ReactNode {
  const contents = useContents(file)
  return <Text my="xs">{contents}</Text>
}
