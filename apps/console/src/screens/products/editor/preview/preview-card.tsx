import { Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { PreviewProps } from './preview-facts.ts'
import { PreviewBadges, PreviewPicture, PreviewPrice } from './preview-parts.tsx'
import classes from './preview.module.css'

/** The product in a list. */
export function PreviewCard({ form, facts, currency }: PreviewProps): ReactNode {
  const { t } = useTranslation()
  return (
    <Stack gap={4} w={240} component="article" aria-label={t('products.preview.card')}>
      <PreviewPicture image={form.images[0]} />
      <PreviewBadges badges={facts.badges} />
      <Text size="md" fw={500}>
        {form.title || t('products.preview.noTitle')}
      </Text>
      {form.subtitle !== '' && <Text c="dimmed">{form.subtitle}</Text>}
      <PreviewPrice facts={facts} currency={currency} />
      <Group gap={4}>
        {Object.entries(form.swatches).map(([color, hex]) => (
          <svg key={color} className={classes['swatch']} viewBox="0 0 14 14" role="img" aria-label={color}>
            <circle cx={7} cy={7} r={6.5} fill={hex} />
          </svg>
        ))}
      </Group>
    </Stack>
  )
}
