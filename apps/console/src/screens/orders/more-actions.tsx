import { ActionIcon, Menu } from '@mantine/core'
import { DotsHorizontalIcon } from '@radix-ui/react-icons'
import { useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { noticeDownload } from '../../parts/download.ts'
import { queryClient } from '../../query-client.ts'
import { useCan } from '../../session.ts'
import type { OrderPartProps } from './order-dialog.ts'
import { timelineQuery } from './orders-queries.ts'

/** What is done with an order now and then: documents to print, and its end. */
export function MoreActions({ order: { id, number }, steps, onOpen }: OrderPartProps): ReactNode {
  const { t } = useTranslation()
  const mayChange = useCan()('orders:write')
  const button = useRef<HTMLButtonElement>(null)

  async function download(file: string, what: string): Promise<void> {
    await noticeDownload(`/admin/orders/${id}/${file}`, what)
    // The first print of an invoice issues it.
    await queryClient.invalidateQueries({ queryKey: timelineQuery(id).queryKey })
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon ref={button} variant="default" size={36} aria-label={t('orders.actions.more')}>
          <DotsHorizontalIcon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void download('packing-slip.pdf', t('orders.print.packingSlipOf', { number }))}>
          {t('orders.print.packingSlip')}
        </Menu.Item>
        {steps.invoice && (
          <Menu.Item onClick={() => void download('invoice.pdf', t('orders.print.invoiceOf', { number }))}>
            {t('orders.print.invoice')}
          </Menu.Item>
        )}
        {steps.cancel && mayChange && (
          <>
            <Menu.Divider />
            <Menu.Item
              c="var(--mantine-color-red-light-color)"
              onClick={() => {
                // The dialog returns the focus to the button: the menu will be gone.
                button.current?.focus()
                onOpen('cancel')
              }}
            >
              {t('orders.actions.cancel')}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
