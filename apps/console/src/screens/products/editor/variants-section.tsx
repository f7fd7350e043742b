import { SimpleGrid } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useEditor } from './editor-context.ts'
import { OptionsEditor } from './options-editor.tsx'
import type { VariantRow } from './product-form.ts'
import { Section } from './section.tsx'
import { suggestedSku, suggestedSlug } from './suggestions.ts'
import { TextField } from './text-field.tsx'
import { VariantGrid } from './variant-grid.tsx'
import { usableOptions } from './variant-rows.ts'

/** Options and what can be bought: a grid, or two fields for a product that comes in one form. */
export function VariantsSection(): ReactNode {
  const { form } = useEditor()
  const [first] = form.variants
  const hasOwnPrice = `${first?.price ?? ''}${first?.compareAtPrice ?? ''}` !== ''
  const isSimple = usableOptions(form.options).length === 0 && form.variants.length === 1 && !hasOwnPrice
  return (
    <Section name="variants">
      {isSimple && <OnlyVariant />}
      <OptionsEditor />
      {!isSimple && <VariantGrid />}
    </Section>
  )
}

function OnlyVariant(): ReactNode {
  const { t } = useTranslation()
  const { form, change } = useEditor()
  const [only] = form.variants
  if (!only) return null
  const update = (fields: Partial<VariantRow>): void =>
    change(({ variants }) => ({ variants: variants.map((row) => ({ ...row, ...fields })) }))
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <TextField
        path="variants.0.inventory"
        label={t('products.field.stock')}
        value={only.stock}
        onChange={(stock) => update({ stock })}
        inputMode="numeric"
      />
      <TextField
        path="variants.0.sku"
        label={t('products.field.sku')}
        placeholder={only.id === undefined ? suggestedSku(form.slug ?? suggestedSlug(form.title), {}) : ''}
        value={only.sku}
        onChange={(sku) => update({ sku })}
        maxLength={100}
      />
    </SimpleGrid>
  )
}
