import { SimpleGrid } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useEditor } from './editor-context.ts'
import { Section } from './section.tsx'
import { TextField } from './text-field.tsx'

const LEGAL = ['genericName', 'countryOfOrigin', 'manufacturer', 'packer', 'netQuantity', 'packOf'] as const

/** Who makes the product, and what the law wants to be known. */
export function MakerSection(): ReactNode {
  const { t } = useTranslation()
  const { form, change } = useEditor()
  const { maker, manufacturer } = form
  return (
    <Section name="maker">
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextField
          path="enrichment.maker.name"
          label={t('products.maker.name')}
          value={maker.name}
          onChange={(name) => change((now) => ({ maker: { ...now.maker, name } }))}
        />
        <TextField
          path="enrichment.maker.location"
          label={t('products.maker.location')}
          value={maker.location}
          onChange={(location) => change((now) => ({ maker: { ...now.maker, location } }))}
        />
        {LEGAL.map((field) => (
          <TextField
            key={field}
            path={`enrichment.manufacturer.${field}`}
            label={t(`products.maker.${field}`)}
            value={manufacturer[field] ?? ''}
            onChange={(value) => change((now) => ({ manufacturer: { ...now.manufacturer, [field]: value } }))}
          />
        ))}
      </SimpleGrid>
    </Section>
  )
}
