import { Alert, Button, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { CsvChoices } from '@storefront/contracts/product-csv'
import { withChoice } from './column-meanings.ts'
import { withSuggestions } from './column-suggestions.ts'
import { ColumnTable } from './column-table.tsx'
import type { ImportFile } from './import-file.ts'
import { rememberChoices } from './remembered-choices.ts'
import { useContents } from './use-contents.ts'
import type { CsvReading } from './use-csv-columns.ts'
import { useTargetName } from './use-target-name.ts'

interface CsvPreviewProps {
  reading: CsvReading
  choices: CsvChoices
  isDisabled: boolean
  onChoose: (choices: CsvChoices) => void
}

/** How the shop reads a CSV, and what the merchant says about its columns. */
export function CsvPreview({ reading, choices, isDisabled, onChoose }: CsvPreviewProps): ReactNode {
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
export function FileContents({ file }: { file: ImportFile }): ReactNode {
  const contents = useContents(file)
  return <Text my="xs">{contents}</Text>
}
