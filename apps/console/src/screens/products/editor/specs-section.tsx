import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useEditor } from './editor-context.ts'
import { PairsEditor } from './pairs-editor.tsx'
import { Section } from './section.tsx'

/** Facts about the product: a few under the price, all in a table. */
export function SpecsSection(): ReactNode {
  const { t } = useTranslation()
  const { form, change } = useEditor()
  return (
    <Section name="specs">
      <PairsEditor
        path="enrichment.highlights"
        label={t('products.specs.highlights')}
        description={t('products.specs.highlightsHint')}
        pairs={form.highlights}
        onlyHighlights
        onChange={(highlights) => change(() => ({ highlights }))}
      />
      <PairsEditor
        path="enrichment.specs"
        label={t('products.specs.table')}
        description={t('products.specs.tableHint')}
        pairs={form.specs}
        onChange={(specs) => change(() => ({ specs }))}
      />
    </Section>
  )
}
