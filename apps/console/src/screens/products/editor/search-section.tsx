import { Anchor, Box, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useEditor } from './editor-context.ts'
import { Section } from './section.tsx'
import { suggestedSlug } from './suggestions.ts'
import { TextField } from './text-field.tsx'

/** The address of the product page, and what search engines show of it. */
export function SearchSection(): ReactNode {
  const { t } = useTranslation()
  const { form, change } = useEditor()
  const suggested = suggestedSlug(form.title)
  return (
    <Section name="search">
      <TextField
        path="slug"
        label={t('products.field.slug')}
        description={form.slug === null ? t('products.field.slugFollows') : t('products.field.slugHint')}
        value={form.slug ?? suggested}
        onChange={(slug) => change(() => ({ slug }))}
        maxLength={200}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
      />
      {form.slug !== null && form.slug !== suggested && suggested !== '' && (
        <Anchor component="button" type="button" ta="left" onClick={() => change(() => ({ slug: suggested }))}>
          {t('products.field.slugFromTitle', { slug: suggested })}
        </Anchor>
      )}
      <Box>
        <Text className="small dimmed">{t('products.field.searchPreview')}</Text>
        <Text size="md" c="blue" className="ellipsis">
          {form.title || '–'}
        </Text>
        <Text c="dimmed" lineClamp={2}>
          {form.description || form.subtitle}
        </Text>
      </Box>
    </Section>
  )
}
