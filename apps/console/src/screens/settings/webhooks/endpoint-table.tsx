import { Badge, Stack, Text, Tooltip } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { DataTable, type Column } from '../../../parts/data-table.tsx'
import { EmptyState } from '../../../parts/empty-state.tsx'
import { RelativeTime } from '../../../parts/relative-time.tsx'
import { RowMenu, type RowAction } from '../../../parts/row-menu.tsx'
import { useDialog } from '../../../parts/use-dialog.tsx'
import type { EndpointAction } from './endpoint-action.ts'
import { EndpointDialog } from './endpoint-dialog.tsx'
import { EVENT_NAMES, isEventType } from './event-types.ts'
import { useSwitchEndpoint } from './use-switch-endpoint.ts'
import { endpointsQuery, STOREFRONT_ID, type Endpoint } from './webhooks-queries.ts'

export function EndpointTable(): ReactNode {
  const { t } = useTranslation()
  const endpoints = useQuery(endpointsQuery)
  const { open, render } = useDialog<{ endpoint: Endpoint; action: EndpointAction }>()
  const menuOf = useMenu((endpoint, action) => open({ endpoint, action }))
  return (
    <>
      <DataTable
        label={t('settings.webhooks.endpoints')}
        columns={[
          ...columnsOf(t),
          {
            id: 'actions',
            header: t('settings.actions'),
            cell: (endpoint) => (
              <RowMenu label={t('settings.actionsFor', { name: endpoint.url })} actions={menuOf(endpoint)} />
            ),
          },
        ]}
        rows={endpoints.data?.items}
        rowId={({ id }) => id}
        query={endpoints}
        empty={<EmptyState title={t('settings.webhooks.none')} text={t('settings.webhooks.noneText')} />}
      />
      {render((dialog, target) => (
        <EndpointDialog {...dialog} {...target} />
      ))}
    </>
  )
}

/** What can be done with an endpoint. */
function useMenu(open: (endpoint: Endpoint, action: EndpointAction) => void): (endpoint: Endpoint) => RowAction[] {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const switchEndpoint = useSwitchEndpoint()
  return (endpoint) => {
    const isOwn = endpoint.id === STOREFRONT_ID
    const dialog = (action: EndpointAction): RowAction => ({
      label: t(`settings.webhooks.actions.${action}`),
      isDangerous: action === 'delete',
      onClick: () => open(endpoint, action),
    })
    return [
      dialog('test'),
      {
        label: t('settings.webhooks.actions.deliveries'),
        onClick: () => void navigate({ to: '/settings/webhooks/deliveries', search: { endpoint: endpoint.id } }),
      },
      dialog('change'),
      {
        label: t(`settings.webhooks.actions.${endpoint.enabled ? 'disable' : 'enable'}`),
        onClick: () => switchEndpoint(endpoint),
      },
      ...(isOwn ? [] : [dialog('rotate'), dialog('delete')]),
    ]
  }
}

function columnsOf(t: TFunction): Column<Endpoint>[] {
  return [
    {
      id: 'url',
      header: t('settings.webhooks.url'),
      cell: ({ url, description }) => (
        <>
          <Text fw={600} className="wrap">
            {url}
          </Text>
          <Text className="wrap small dimmed">{description}</Text>
        </>
      ),
    },
    {
      id: 'types',
      header: t('settings.webhooks.types'),
      secondary: true,
      cell: ({ types }) => <Types types={types} />,
    },
    { id: 'state', header: t('settings.webhooks.state'), cell: (endpoint) => <EndpointState {...endpoint} /> },
  ]
}

function Types({ types }: { types: readonly string[] | null }): ReactNode {
  const { t } = useTranslation()
  if (types === null) return t('settings.webhooks.allTypes')
  const names = types.map((type) => (isEventType(type) ? t(`settings.events.${EVENT_NAMES[type]}`) : type))
  return (
    <Tooltip label={names.join(', ')} multiline maw={320} events={{ hover: true, focus: true, touch: true }}>
      <Text component="span" tabIndex={0}>
        {names.length === 1 ? names[0] : t('settings.webhooks.typeCount', { count: names.length })}
      </Text>
    </Tooltip>
  )
}

const STATE_COLORS = { disabled: 'gray', paused: 'red', failing: 'orange', works: 'teal' }

/** Whether events arrive, and since when not. */
function EndpointState(endpoint: Endpoint): ReactNode {
  const { t } = useTranslation()
  const { enabled, disabledReason, failingSince } = endpoint
  const state = stateOf(endpoint)
  return (
    <Stack gap={2} align="flex-start">
      <Badge color={STATE_COLORS[state]}>{t(`settings.webhooks.states.${state}`)}</Badge>
      {disabledReason !== null && <Text className="small dimmed">{disabledReason}</Text>}
      {enabled && failingSince !== null && (
        <Text className="small dimmed">
          {t('settings.webhooks.since')} <RelativeTime at={failingSince} />
        </Text>
      )}
    </Stack>
  )
}

function stateOf({ enabled, pausedUntil, failingSince }: Endpoint): keyof typeof STATE_COLORS {
  if (!enabled) return 'disabled'
  if (pausedUntil !== null) return 'paused'
  return failingSince === null ? 'works' : 'failing'
}
