import { Checkbox, Radio, SimpleGrid, Stack, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { EVENT_NAMES, EVENT_TYPES, isEventType, type EventType } from './event-types.ts'
import type { Endpoint } from './webhooks-queries.ts'

export interface EndpointValues {
  url: string
  description: string
  scope: 'all' | 'some'
  types: EventType[]
}

export function valuesOf(endpoint: Endpoint | undefined): EndpointValues {
  const { url = '', description = '', types = null } = endpoint ?? {}
  return { url, description, scope: types === null ? 'all' : 'some', types: (types ?? []).filter(isEventType) }
}

export function bodyOf({ url, description, scope, types }: EndpointValues) {
  return { url: url.trim(), description: description.trim(), types: scope === 'all' ? null : types }
}

interface EndpointFieldsProps {
  form: UseFormReturnType<EndpointValues>
  faults: Record<string, string>
  /** Whether it is the shop's own endpoint, which gets every event at the address of its configuration. */
  isFixed?: boolean
}

export function EndpointFields({ form, faults, isFixed = false }: EndpointFieldsProps): ReactNode {
  const { t } = useTranslation()
  return (
    <>
      <TextInput
        data-autofocus
        label={t('settings.webhooks.url')}
        description={t(isFixed ? 'settings.webhooks.urlFixed' : 'settings.webhooks.urlText')}
        type="url"
        disabled={isFixed}
        {...form.getInputProps('url')}
        error={form.errors['url'] ?? faults['url']}
      />
      <TextInput
        label={t('settings.webhooks.description')}
        description={t('settings.webhooks.descriptionText')}
        maxLength={500}
        {...form.getInputProps('description')}
      />
      {!isFixed && <TypeFields form={form} faults={faults} />}
    </>
  )
}

function TypeFields({ form, faults }: EndpointFieldsProps): ReactNode {
  const { t } = useTranslation()
  return (
    <>
      <Radio.Group label={t('settings.webhooks.types')} {...form.getInputProps('scope')}>
        <Stack gap="xs" mt={6}>
          <Radio
            value="all"
            label={t('settings.webhooks.allTypes')}
            description={t('settings.webhooks.allTypesText')}
          />
          <Radio value="some" label={t('settings.webhooks.someTypes')} />
        </Stack>
      </Radio.Group>
      {form.values.scope === 'some' && (
        <Checkbox.Group
          aria-label={t('settings.webhooks.someTypes')}
          value={form.values.types}
          onChange={(chosen) => form.setFieldValue('types', chosen.filter(isEventType))}
          error={form.errors['types'] ?? faults['types']}
        >
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
            {EVENT_TYPES.map((type) => (
              <Checkbox key={type} value={type} label={t(`settings.events.${EVENT_NAMES[type]}`)} description={type} />
            ))}
          </SimpleGrid>
        </Checkbox.Group>
      )}
    </>
  )
}
