import { Button, Group, List, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ProductForm } from '../product-form.ts'
import { usableOptions } from '../variant-rows.ts'
import type { PreviewProps } from './preview-facts.ts'
import { PreviewBadges, PreviewPicture, PreviewPrice } from './preview-parts.tsx'

export function PreviewPage({ form, facts, currency }: PreviewProps): ReactNode {
  const { t } = useTranslation()
  return (
    <Stack component="article" aria-label={t('products.preview.page')}>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Stack gap="xs">
          <PreviewPicture image={form.images[0]} />
          <Group gap="xs">
            {form.images.slice(1).map((image) => (
              <PreviewPicture key={image.id} image={image} isSmall />
            ))}
          </Group>
        </Stack>
        <Stack gap="xs">
          <PreviewBadges badges={facts.badges} />
          <Title order={3}>{form.title || t('products.preview.noTitle')}</Title>
          {form.subtitle !== '' && (
            <Text size="md" c="dimmed">
              {form.subtitle}
            </Text>
          )}
          <PreviewPrice facts={facts} currency={currency} />
          <PreviewOptions form={form} />
        </Stack>
      </SimpleGrid>
      {form.description.trim() !== '' && (
        <Text size="md" className="text">
          {form.description}
        </Text>
      )}
      <Lines text={form.details} />
      <PreviewSpecs form={form} />
      <Lines text={form.care} />
    </Stack>
  )
}

function PreviewOptions({ form }: { form: ProductForm }): ReactNode {
  // Until it is typed, the key stands for the name.
  const named = usableOptions(form.options).filter(({ key, name }) => name !== key)
  return named.map(({ key, name, values }) => (
    <div key={key}>
      <Text fw={500}>{name}</Text>
      <Group gap={4}>
        {values.map((value) => (
          <Button key={value} size="compact-sm" component="span">
            {value}
          </Button>
        ))}
      </Group>
    </div>
  ))
}

function Lines({ text }: { text: string }): ReactNode {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  if (lines.length === 0) return null
  return (
    <List size="sm">
      {lines.map((line) => (
        <List.Item key={line}>{line}</List.Item>
      ))}
    </List>
  )
}

function PreviewSpecs({ form: { specs } }: { form: ProductForm }): ReactNode {
  const filled = specs.filter(({ key, value }) => key.trim() !== '' && value.trim() !== '')
  if (filled.length === 0) return null
  return (
    <Table variant="vertical">
      <Table.Tbody>
        {filled.map(({ key, value }) => (
          <Table.Tr key={key}>
            <Table.Th>{key}</Table.Th>
            <Table.Td>{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
