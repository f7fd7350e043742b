import { Checkbox, Group, MultiSelect, TagsInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { categoryChoices } from '../../../parts/category-names.ts'
import { categoriesQuery, tagsQuery } from '../products-queries.ts'
import { useEditor } from './editor-context.ts'
import type { Badge } from './product-form.ts'
import { PublicationFields } from './publication-fields.tsx'
import { RelatedProducts } from './related-products.tsx'
import { Section } from './section.tsx'
import { TextField, useFieldOf } from './text-field.tsx'

const SHOWN_CHOICES = 100
const BADGES: readonly Badge[] = ['new', 'bestseller']

/** Where shoppers find the product. */
export function OrganizationSection(): ReactNode {
  const { t } = useTranslation()
  const { form, change, errors } = useEditor()
  const fieldOf = useFieldOf()
  const categories = useQuery(categoriesQuery).data?.items
  const choices = useMemo(() => categoryChoices(categories ?? []), [categories])
  const tags = useQuery(tagsQuery).data
  return (
    <Section name="organization">
      <PublicationFields />
      <MultiSelect
        label={t('products.field.categories')}
        data={choices}
        value={form.categories}
        onChange={(next) => change(() => ({ categories: next }))}
        error={errors['categories']}
        searchable
        hidePickedOptions
        limit={SHOWN_CHOICES}
        nothingFoundMessage={t('products.noCategory')}
      />
      <TagsInput
        label={t('products.field.tags')}
        description={t('products.field.tagsHint')}
        data={tags ?? []}
        limit={SHOWN_CHOICES}
        value={form.tags}
        onChange={(next) => change(() => ({ tags: next }))}
        error={errors['tags']}
      />
      <RelatedProducts />
      <Group align="flex-start">
        <Checkbox.Group
          label={t('products.field.badges')}
          description={t('products.field.badgesHint')}
          value={form.pinnedBadges}
          onChange={(picked) => change(() => ({ pinnedBadges: BADGES.filter((badge) => picked.includes(badge)) }))}
        >
          <Group mt={4}>
            {BADGES.map((badge) => (
              <Checkbox key={badge} value={badge} label={t(`products.badge.${badge}`)} />
            ))}
          </Group>
        </Checkbox.Group>
        <TextField {...fieldOf('position')} description={t('products.field.positionHint')} inputMode="numeric" />
      </Group>
    </Section>
  )
}
