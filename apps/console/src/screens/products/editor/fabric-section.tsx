import { Autocomplete, Button, Group, Input, SimpleGrid, Stack, TagsInput } from '@mantine/core'
import { PlusIcon } from '@radix-ui/react-icons'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useEditor } from './editor-context.ts'
import { RemoveButton } from '../../../parts/remove-button.tsx'
import { decimalOf } from './product-changes.ts'
import type { FabricForm } from './product-form.ts'
import { Section } from './section.tsx'
import { TextField } from './text-field.tsx'
import { useVocabulary } from './use-vocabulary.ts'

const WHOLE_PERCENT = 100

/** What the product is made of. */
export function FabricSection(): ReactNode {
  const { t } = useTranslation()
  const { form, change } = useEditor()
  const { valuesOf } = useVocabulary()
  const { fabric } = form
  const update = (fields: Partial<FabricForm>): void => change((now) => ({ fabric: { ...now.fabric, ...fields } }))
  return (
    <Section name="fabric">
      <Composition composition={fabric.composition} onChange={(composition) => update({ composition })} />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextField
          path="fabric.weight"
          label={t('products.field.weight')}
          value={fabric.weight}
          onChange={(weight) => update({ weight })}
          inputMode="decimal"
        />
        <Autocomplete
          label={t('products.field.weave')}
          data={valuesOf('weave')}
          value={fabric.weave}
          onChange={(weave) => update({ weave })}
        />
      </SimpleGrid>
      <TextField
        path="fabric.origin"
        label={t('products.field.origin')}
        value={fabric.origin}
        onChange={(origin) => update({ origin })}
      />
      <TagsInput
        label={t('products.field.certifications')}
        data={valuesOf('certification')}
        value={fabric.certifications}
        onChange={(certifications) => update({ certifications })}
      />
    </Section>
  )
}

type Materials = FabricForm['composition']

interface CompositionProps {
  composition: Materials
  onChange: (next: Materials) => void
}

function Composition({ composition, onChange }: CompositionProps): ReactNode {
  const { t } = useTranslation()
  const { errors } = useEditor()
  const sum = composition.reduce((all, { percent }) => all + (decimalOf(percent) || 0), 0)
  const change = (index: number, fields: Partial<Materials[number]>): void =>
    onChange(composition.map((each, place) => (place === index ? { ...each, ...fields } : each)))
  return (
    <Input.Wrapper
      label={t('products.field.composition')}
      labelElement="div"
      description={composition.length === 0 ? undefined : t('products.field.compositionSum', { sum })}
    >
      <Stack gap="xs" mt={4}>
        {composition.map(({ material, percent }, index) => (
          <Group key={index} gap="xs" wrap="nowrap" align="flex-start">
            <TextField
              path={`fabric.composition.${index}.0`}
              label=""
              aria-label={t('products.field.material', { number: index + 1 })}
              value={material}
              onChange={(next) => change(index, { material: next })}
              flex={1}
            />
            <TextField
              path={`fabric.composition.${index}`}
              label=""
              aria-label={t('products.field.percent', { number: index + 1 })}
              value={percent}
              onChange={(next) => change(index, { percent: next })}
              inputMode="decimal"
              rightSection="%"
              w={90}
            />
            <RemoveButton
              label={t('products.field.removeMaterial', { number: index + 1 })}
              onClick={() => onChange(composition.toSpliced(index, 1))}
              size="lg"
            />
          </Group>
        ))}
        <Group>
          <Button
            leftSection={<PlusIcon />}
            onClick={() =>
              onChange([...composition, { material: '', percent: String(Math.max(0, WHOLE_PERCENT - sum)) }])
            }
          >
            {t('products.field.addMaterial')}
          </Button>
        </Group>
        {errors['fabric'] !== undefined && <Input.Error>{errors['fabric']}</Input.Error>}
      </Stack>
    </Input.Wrapper>
  )
}
