import { ColorInput, SimpleGrid } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useEditor } from './editor-context.ts'

/** The color to draw for each value of the color option. */
export function Swatches({ colors }: { colors: readonly string[] }): ReactNode {
  const { t } = useTranslation()
  const { form, change, errors } = useEditor()

  function set(color: string, hex: string): void {
    change(({ swatches: { [color]: _before, ...others } }) => ({
      swatches: hex === '' ? others : { ...others, [color]: hex },
    }))
  }

  return (
    <SimpleGrid cols={{ base: 2, xs: 3, md: 4 }} spacing="xs">
      {colors.map((color) => (
        <ColorInput
          key={color}
          label={t('products.options.swatch', { color })}
          placeholder={t('products.options.noSwatch')}
          value={form.swatches[color] ?? ''}
          onChange={(hex) => set(color, hex)}
          error={errors[`swatches.${color}`]}
          eyeDropperButtonProps={{ 'aria-label': t('products.options.pickColor') }}
          size="xs"
        />
      ))}
    </SimpleGrid>
  )
}
