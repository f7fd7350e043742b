import { ActionIcon, Badge, Code, Group, SegmentedControl, Text, Tooltip } from '@mantine/core'
import { TrashIcon } from '@radix-ui/react-icons'
import { useQuery } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyAction } from '../../../parts/copy-text.tsx'
import { DataTable, type Column } from '../../../parts/data-table.tsx'
import { EmptyState } from '../../../parts/empty-state.tsx'
import { useFilters } from '../../../parts/filters.ts'
import { formatDate, RelativeTime } from '../../../parts/relative-time.tsx'
import { useDialog } from '../../../parts/use-dialog.tsx'
import { staffQuery } from '../staff/staff-queries.ts'
import { apiKeysQuery, type ApiKey } from './keys-queries.ts'
import { PERMISSION_NAMES } from './permissions.ts'
import { RevokeKey } from './revoke-key.tsx'

/** The keys in use, or those that have ended as well. */
export function ApiKeys(): ReactNode {
  const { t } = useTranslation()
  const keys = useQuery(apiKeysQuery)
  const staff = useQuery(staffQuery)
  const [filters, setFilters] = useFilters()
  const revoke = useDialog<ApiKey>()
  const isAll = filters['show'] === 'all'
  const nameOf = (id: string | null): string => staff.data?.items.find((user) => user.id === id)?.name ?? '–'
  return (
    <div>
      <SegmentedControl
        mb="sm"
        aria-label={t('settings.keys.show')}
        value={isAll ? 'all' : 'valid'}
        onChange={(show) => setFilters({ show: show === 'all' ? show : undefined })}
        data={[
          { value: 'valid', label: t('settings.keys.showValid') },
          { value: 'all', label: t('settings.keys.showAll') },
        ]}
      />
      <DataTable
        label={t('settings.sections.keys')}
        columns={columnsOf(t, nameOf, revoke.open)}
        rows={isAll ? keys.data?.items : keys.data?.items.filter((key) => stateOf(key) === 'valid')}
        rowId={({ id }) => id}
        query={keys}
        empty={<EmptyState title={t('settings.keys.none')} text={t('settings.keys.noneText')} />}
      />
      {revoke.render((dialog, key) => (
        <RevokeKey {...dialog} apiKey={key} />
      ))}
    </div>
  )
}

function columnsOf(
  t: TFunction,
  nameOf: (id: string | null) => string,
  onRevoke: (key: ApiKey) => void,
): Column<ApiKey>[] {
  return [
    { id: 'name', header: t('settings.keys.name'), cell: (key) => <KeyName apiKey={key} /> },
    { id: 'permissions', header: t('settings.keys.permissions'), secondary: true, cell: (key) => <Allowed {...key} /> },
    { id: 'maker', header: t('settings.keys.maker'), secondary: true, cell: ({ maker }) => nameOf(maker) },
    {
      id: 'used',
      header: t('settings.keys.lastUsed'),
      secondary: true,
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? t('settings.staff.never') : <RelativeTime at={lastUsedAt} />),
    },
    {
      id: 'expires',
      header: t('settings.keys.expires'),
      cell: ({ expiresAt }) => (expiresAt === null ? t('settings.staff.never') : formatDate(expiresAt)),
    },
    {
      id: 'actions',
      header: t('settings.actions'),
      cell: (key) =>
        stateOf(key) === 'valid' && (
          <ActionIcon
            variant="subtle"
            color="red"
            aria-label={t('settings.keys.revokeNamed', { name: key.name })}
            onClick={() => onRevoke(key)}
          >
            <TrashIcon />
          </ActionIcon>
        ),
    },
  ]
}

function KeyName({ apiKey }: { apiKey: ApiKey }): ReactNode {
  const { t } = useTranslation()
  const state = stateOf(apiKey)
  return (
    <>
      <Group gap={6}>
        <Text fw={600} className="wrap">
          {apiKey.name}
        </Text>
        {apiKey.kind === 'publishable' && <Badge>{t('settings.keys.publishable')}</Badge>}
        {state !== 'valid' && <Badge color="gray">{t(`settings.keys.${state}`)}</Badge>}
      </Group>
      {apiKey.key === undefined ? <Code>{apiKey.hint}…</Code> : <PublishableKey value={apiKey.key} />}
    </>
  )
}

function PublishableKey({ value }: { value: string }): ReactNode {
  return (
    <Group gap={6}>
      <Code className="wrap">{value}</Code>
      <CopyAction value={value} isSmall />
    </Group>
  )
}

function Allowed({ kind, permissions }: ApiKey): ReactNode {
  const { t } = useTranslation()
  if (kind === 'publishable') return '–'
  const names = permissions.map((permission) => t(`settings.permissions.${PERMISSION_NAMES[permission]}`))
  const [first] = names
  if (first === undefined) return '–'
  return (
    <Tooltip label={names.join(', ')} multiline maw={320} events={{ hover: true, focus: true, touch: true }}>
      <Text tabIndex={0} component="span">
        {names.length === 1 ? first : t('settings.keys.permissionCount', { count: names.length })}
      </Text>
    </Tooltip>
  )
}

function stateOf({ expiresAt, revokedAt }: ApiKey): 'valid' | 'expired' | 'revoked' {
  if (revokedAt !== null) return 'revoked'
  return expiresAt !== null && Date.parse(expiresAt) <= Date.now() ? 'expired' : 'valid'
}
