import { Button, Group, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Card } from '../../parts/card.tsx'
import { noticeDownload } from '../../parts/download.ts'
import { noticeDone, succeeds } from '../../parts/notices.ts'
import { TypedConfirmation } from '../../parts/typed-confirmation.tsx'
import { queryClient } from '../../query-client.ts'
import { useCan } from '../../session.ts'
import { shop } from '../../shop.ts'
import { refreshBuyers } from './buyers-queries.ts'

interface PersonalDataProps {
  kind: 'buyers' | 'customers'
  /** Of the buyer or of the account. */
  id: string
  email: string
  canDelete: boolean
}

/** For a person who requests a copy of their data, or its deletion. */
export function PersonalData({ kind, id, email, canDelete }: PersonalDataProps): ReactNode {
  const { t } = useTranslation()
  const can = useCan()
  const navigate = useNavigate()
  const [isOpen, setOpen] = useState(false)
  if (!can('customers:write')) return null
  // The shop lets only owners do this.
  const mayDelete = canDelete && can('admins:write')

  async function remove(): Promise<void> {
    const params = { path: { id } }
    const deletion =
      kind === 'buyers'
        ? shop.delete('/admin/buyers/{id}', { params })
        : shop.delete('/admin/customers/{id}', { params })
    if (!(await succeeds(deletion))) return
    await navigate({ to: '/customers' })
    noticeDone(t('customers.data.deleted', { email }))
    await Promise.all([refreshBuyers(), queryClient.invalidateQueries({ queryKey: ['customers'] })])
  }

  return (
    <Card title={t('customers.data.title')}>
      <Text c="dimmed" mb="sm">
        {t('customers.data.text')}
      </Text>
      <Group gap="xs">
        <Button onClick={() => void noticeDownload(`/admin/${kind}/${id}/export`, t('customers.data.file', { email }))}>
          {t('customers.data.export')}
        </Button>
        {mayDelete && (
          <Button variant="light" color="red" onClick={() => setOpen(true)}>
            {t('customers.data.delete')}
          </Button>
        )}
      </Group>
      <TypedConfirmation
        opened={isOpen}
        title={t('customers.data.deleteTitle', { email })}
        text={t(kind === 'buyers' ? 'customers.data.deleteGuestText' : 'customers.data.deleteText')}
        word={email}
        action={t('customers.data.delete')}
        onClose={() => setOpen(false)}
        onConfirm={() => void remove()}
      />
    </Card>
  )
}
