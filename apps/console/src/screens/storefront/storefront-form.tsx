import { SegmentedControl, Stack } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { SaveBar } from '../../parts/save-bar.tsx'
import { useCan } from '../../session.ts'
import { ConflictDialog } from './conflict-dialog.tsx'
import { textOf, valueAt, type Document } from './document.ts'
import { FaultList } from './fault-list.tsx'
import { ShopPreview } from './preview/shop-preview.tsx'
import { SettingSection } from './setting-section.tsx'
import { SECTIONS } from './sections.ts'
import { StorefrontContext } from './storefront-context.ts'
import classes from './storefront.module.css'
import { useStorefrontForm } from './use-storefront-form.ts'

/** The configuration in sections, beside what shoppers would see of it. */
export function StorefrontForm({ stored }: { stored: Document }): ReactNode {
  const { t } = useTranslation()
  const can = useCan()
  const form = useStorefrontForm(stored)
  const [view, setView] = useState('edit')
  const canWrite = can('settings:write')
  const currency = textOf(valueAt(form.saved, ['pricing', 'currency'])) || 'USD'
  return (
    <StorefrontContext value={{ document: form.document, faults: form.faults, canWrite, currency, set: form.set }}>
      <SegmentedControl
        className={classes['switch']}
        aria-label={t('storefront.view')}
        fullWidth
        mb="sm"
        value={view}
        onChange={setView}
        data={[
          { value: 'edit', label: t('storefront.edit') },
          { value: 'preview', label: t('storefront.preview.title') },
        ]}
      />
      <div className={classes['layout']} data-view={view}>
        <Stack gap="sm" className={classes['form']}>
          <FaultList faults={form.faults} />
          {SECTIONS.map((section) => (
            <SettingSection key={section.name} section={section} isDirty={form.isDirty} onReset={form.resetSection} />
          ))}
          <SaveBar
            isDirty={form.isDirty}
            action={t('common.save')}
            isSaving={form.isSaving}
            onSave={form.save}
            onDiscard={form.discard}
          />
        </Stack>
        <ShopPreview document={form.document} className={classes['preview'] ?? ''} />
      </div>
      {form.conflict && (
        <ConflictDialog
          conflict={form.conflict}
          currency={currency}
          onClose={form.closeConflict}
          onLoadTheirs={form.loadTheirs}
          onKeepMine={form.keepMine}
        />
      )}
    </StorefrontContext>
  )
}
