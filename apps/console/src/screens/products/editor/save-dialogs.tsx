import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../../parts/confirm-dialog.tsx'
import { ProductConflict } from './product-conflict.tsx'
import type { Saving } from './use-saving.ts'

/** What a person has to decide before a save goes on. */
export function SaveDialogs({ saving }: { saving: Saving }): ReactNode {
  const { t } = useTranslation()
  const { outcome } = saving
  if (outcome.kind === 'conflict') {
    return (
      <ProductConflict
        conflict={outcome.conflict}
        onClose={saving.close}
        onLoadTheirs={() => saving.loadTheirs(outcome.conflict)}
        onKeepMine={() => void saving.keepMine(outcome.conflict)}
      />
    )
  }
  if (outcome.kind !== 'losesStock') return null
  return (
    <ConfirmDialog
      opened
      title={t('products.losesStock.title', { count: outcome.variants.length })}
      text={t('products.losesStock.text', { variants: outcome.variants.join(', ') })}
      action={t('products.losesStock.action')}
      isDangerous
      onClose={saving.close}
      onConfirm={() => void saving.save(true)}
    />
  )
}
