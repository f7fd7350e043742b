import { Checkbox, NativeSelect, Radio, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FormDialog } from '../../../parts/form-dialog.tsx'
import { queryClient } from '../../../query-client.ts'
import { useCan, type Permission } from '../../../session.ts'
import { shop } from '../../../shop.ts'
import type { CreateFormProps } from '../create-with-secret.tsx'
import { faultsOf } from '../faults.ts'
import { useConfirmedRequest } from '../reauthentication/use-confirmed-request.tsx'
import { apiKeysQuery, type ApiKey } from './keys-queries.ts'
import { PERMISSION_NAMES } from './permissions.ts'

interface NewKey {
  name: string
  kind: ApiKey['kind']
  permissions: Permission[]
  /** Days from now; empty for never. */
  days: string
}
const EMPTY: NewKey = { name: '', kind: 'secret', permissions: [], days: '30' }

const DAYS = ['7', '30', '90', '365'] as const
const DAY_MS = 86_400_000
/** The clock of this device may be ahead of the shop's, which allows 90 days for some keys. */
const CLOCK_MS = 10 * 60_000

export interface MadeKey {
  name: string
  key: string
}

export function MakeKeyDialog({ onMade, ...dialog }: CreateFormProps<MadeKey>): ReactNode {
  const { t } = useTranslation()
  const form = useForm({
    initialValues: EMPTY,
    validate: { name: (name) => (name.trim() === '' ? t('settings.fillIn') : null) },
  })
  const { start, ...request } = useConfirmedRequest({
    run: (key: NewKey, confirmation) => shop.post('/admin/api-keys', { body: { ...bodyOf(key), ...confirmation } }),
    onDone: ({ name, key }) => {
      dialog.onClose()
      void queryClient.invalidateQueries({ queryKey: apiKeysQuery.queryKey })
      if (key !== undefined) onMade({ name, key })
    },
  })
  const faults = faultsOf(request.error)
  return (
    <FormDialog
      {...dialog}
      title={t('settings.keys.make')}
      action={t('settings.keys.makeAction')}
      size="lg"
      {...request}
      onSubmit={form.onSubmit((values) => start(values))}
    >
      <TextInput
        data-autofocus
        label={t('settings.keys.name')}
        description={t('settings.keys.nameText')}
        maxLength={100}
        {...form.getInputProps('name')}
      />
      <Radio.Group label={t('settings.keys.kind')} {...form.getInputProps('kind')}>
        <Stack gap="xs" mt={6}>
          <Radio value="secret" label={t('settings.keys.secret')} description={t('settings.keys.secretText')} />
          <Radio
            value="publishable"
            label={t('settings.keys.publishable')}
            description={t('settings.keys.publishableText')}
          />
        </Stack>
      </Radio.Group>
      {form.values.kind === 'secret' && <SecretFields form={form} faults={faults} />}
    </FormDialog>
  )
}

interface SecretFieldsProps {
  form: UseFormReturnType<NewKey>
  faults: Record<string, string>
}

function SecretFields({ form, faults }: SecretFieldsProps): ReactNode {
  const { t } = useTranslation()
  const can = useCan()
  const own = Object.entries(PERMISSION_NAMES).flatMap(([permission, name]) =>
    isPermission(permission) && can(permission) ? [{ permission, name }] : [],
  )
  return (
    <>
      <Checkbox.Group
        label={t('settings.keys.permissions')}
        value={form.values.permissions}
        onChange={(chosen) => form.setFieldValue('permissions', chosen.filter(isPermission))}
        error={faults['permissions']}
      >
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" mt={6}>
          {own.map(({ permission, name }) => (
            <Checkbox key={permission} value={permission} label={t(`settings.permissions.${name}`)} />
          ))}
        </SimpleGrid>
      </Checkbox.Group>
      <NativeSelect
        label={t('settings.keys.expires')}
        description={t('settings.keys.expiresText')}
        data={[
          ...DAYS.map((value) => ({ value, label: t(`settings.keys.days.${value}`) })),
          { value: '', label: t('settings.staff.never') },
        ]}
        error={faults['expiresAt']}
        {...form.getInputProps('days')}
      />
    </>
  )
}

function isPermission(text: string): text is Permission {
  return text in PERMISSION_NAMES
}

function bodyOf({ name, kind, permissions, days }: NewKey) {
  if (kind === 'publishable') return { name, kind }
  const expiresAt = new Date(Date.now() + Number(days) * DAY_MS - CLOCK_MS).toISOString()
  return { name, kind, permissions, ...(days !== '' && { expiresAt }) }
}
