import { Alert, Button, FileButton, Group, List, Stack, Text, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorState } from '../../../parts/error-state.tsx'
import type { Comparison } from './count-preview.tsx'
import { findStocked } from './find-stocked.ts'
import { MAX_COUNTS, readCounts, type Count, type CountFault } from './read-counts.ts'
import { Running } from './running.tsx'

interface CountFormProps {
  text: string
  onText: (text: string) => void
  onCompared: (comparison: Comparison) => void
}

/** Takes a CSV by paste or from a file, and compares it with the shop. */
export function CountForm({ text, onText, onCompared }: CountFormProps): ReactNode {
  const { t } = useTranslation()
  const [faults, setFaults] = useState<CountFault[]>([])
  const [problem, setProblem] = useState<string>()
  const [done, setDone] = useState(0)
  const compare = useMutation({
    mutationFn: (counts: Count[]) => compared(counts, setDone),
    onSuccess: onCompared,
  })

  function submit(event: FormEvent): void {
    event.preventDefault()
    const read = readCounts(text)
    setFaults(read.faults)
    const { length } = read.counts
    if (read.faults.length === 0 && length === 0) return setProblem(t('stock.stocktake.nothing'))
    if (length > MAX_COUNTS) return setProblem(t('stock.stocktake.tooMany', { count: MAX_COUNTS }))
    setProblem(undefined)
    if (read.faults.length > 0) return
    setDone(0)
    compare.mutate(read.counts)
  }

  if (compare.isPending) {
    return <Running label={t('stock.stocktake.comparing')} done={done} total={compare.variables.length} />
  }
  return (
    <form onSubmit={submit}>
      <Stack maw={720}>
        <Text>{t('stock.stocktake.help')}</Text>
        <Textarea
          label={t('stock.stocktake.counts')}
          description={t('stock.stocktake.format')}
          placeholder={'sku,quantity\nSHIRT-M,12\nSHIRT-L,7'}
          value={text}
          onChange={(event) => onText(event.currentTarget.value)}
          error={problem}
          minRows={8}
          maxRows={20}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        />
        {faults.length > 0 && <Faults faults={faults} />}
        {compare.error && <ErrorState error={compare.error} />}
        <Group>
          <Button variant="filled" type="submit">
            {t('stock.stocktake.compare')}
          </Button>
          <FileButton accept=".csv,.txt,.tsv,text/csv,text/plain" onChange={(file) => void file?.text().then(onText)}>
            {(props) => <Button {...props}>{t('stock.stocktake.file')}</Button>}
          </FileButton>
        </Group>
      </Stack>
    </form>
  )
}

const SHOWN_FAULTS = 10
const LONGEST = 60

function Faults({ faults }: { faults: readonly CountFault[] }): ReactNode {
  const { t } = useTranslation()
  return (
    <Alert color="red" title={t('stock.stocktake.faults', { count: faults.length })}>
      <List size="sm">
        {faults.slice(0, SHOWN_FAULTS).map(({ line, kind, text }) => (
          <List.Item key={line}>
            {t('stock.stocktake.line', { line })}: {t(`stock.stocktake.fault.${kind}`)} ({text.slice(0, LONGEST)})
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}

async function compared(counts: readonly Count[], onProgress: (done: number) => void): Promise<Comparison> {
  const found = await findStocked(
    counts.map(({ sku }) => sku),
    onProgress,
  )
  const comparison: Comparison = { differences: [], unknown: [], equal: 0 }
  for (const { sku, quantity } of counts) {
    const stocked = found.get(sku)
    if (!stocked) comparison.unknown.push(sku)
    else if (stocked.onHand === quantity) comparison.equal++
    else comparison.differences.push({ ...stocked, counted: quantity })
  }
  return comparison
}
