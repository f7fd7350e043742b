import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { noticeDone, noticeFailure, noticeUndo } from '../../parts/notices.ts'
import { useCan } from '../../session.ts'
import { refreshStorefront, restoreVersion } from './storefront-queries.ts'

/** Brings an earlier version back as a new one. */
export function RestoreButton({ version, latest }: { version: number; latest: number }): ReactNode {
  const { t } = useTranslation()
  const can = useCan()
  const client = useQueryClient()
  const [isConfirming, setConfirming] = useState(false)
  const restore = useMutation({
    mutationFn: () => restoreVersion(version, latest),
    onSuccess: async (restored) => {
      await refreshStorefront(client)
      if (restored === latest) return noticeDone(t('storefront.versions.same'))
      const undo = (): Promise<void> => restoreVersion(latest, restored).then(() => refreshStorefront(client))
      noticeUndo(t('storefront.versions.restored', { version }), undo, t('storefront.undone'))
    },
    onError: async (error) => {
      noticeFailure(error)
      await refreshStorefront(client)
    },
  })
  if (!can('settings:write')) return null
  return (
    <>
      <Button variant="subtle" size="compact-sm" loading={restore.isPending} onClick={() => setConfirming(true)}>
        {t('storefront.versions.restore')}
      </Button>
      <ConfirmDialog
        opened={isConfirming}
        title={t('storefront.versions.restoreTitle', { version })}
        text={t('storefront.versions.restoreText')}
        action={t('storefront.versions.restore')}
        onClose={() => setConfirming(false)}
        onConfirm={() => restore.mutate()}
      />
    </>
  )
}
