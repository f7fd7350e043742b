import { Button } from '@mantine/core'
import { DownloadIcon } from '@radix-ui/react-icons'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { noticeDownload } from '../../parts/download.ts'
import type { Filters } from '../../parts/filters.ts'
import { exportQueryOf } from './order-filters.ts'

/** Downloads the orders of the current filters for a spreadsheet; the person may leave the screen meanwhile. */
export function ExportButton({ filters }: { filters: Filters }): ReactNode {
  const { t } = useTranslation()
  const [running, setRunning] = useState(false)

  async function download(): Promise<void> {
    setRunning(true)
    const query = new URLSearchParams(exportQueryOf(filters)).toString()
    await noticeDownload(`/admin/orders/export?${query}`, t('orders.export.what'))
    setRunning(false)
  }
  return (
    <Button leftSection={<DownloadIcon />} disabled={running} onClick={() => void download()}>
      {t('orders.export.action')}
    </Button>
  )
}
