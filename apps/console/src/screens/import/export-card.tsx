import { Button, Group, Radio, Stack } from '@mantine/core'
import { DownloadIcon } from '@radix-ui/react-icons'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Card } from '../../parts/card.tsx'
import { noticeDownload } from '../../parts/download.ts'
import { JSON_TYPE, NDJSON_TYPE } from './import-types.ts'

const FORMATS = { json: JSON_TYPE, ndjson: NDJSON_TYPE } as const

/** The whole shop as a file; the person may go elsewhere while it is downloaded. */
export function ExportCard(): ReactNode {
  const { t } = useTranslation()
  const [format, setFormat] = useState<keyof typeof FORMATS>('json')
  const [running, setRunning] = useState(false)

  async function download(): Promise<void> {
    setRunning(true)
    await noticeDownload('/admin/export', t('import.export.what'), FORMATS[format])
    setRunning(false)
  }

  return (
    <Card title={t('import.export.title')} text={t('import.export.text')}>
      <Stack mt="sm">
        <Radio.Group
          label={t('import.export.format')}
          value={format}
          onChange={(value) => setFormat(value === 'ndjson' ? value : 'json')}
        >
          <Group mt={4}>
            <Radio value="json" label={t('import.export.json')} />
            <Radio value="ndjson" label={t('import.export.ndjson')} />
          </Group>
        </Radio.Group>
        <Group>
          <Button leftSection={<DownloadIcon />} disabled={running} onClick={() => void download()}>
            {t('import.export.action')}
          </Button>
        </Group>
      </Stack>
    </Card>
  )
}
