import { Badge, Button, Group, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { DataTable, type Column } from '../../../parts/data-table.tsx'
import { RelativeTime } from '../../../parts/relative-time.tsx'
import { ShortId } from '../../../parts/short-id.tsx'
import { useDialog } from '../../../parts/use-dialog.tsx'
import { signingKeysQuery, type SigningKey } from './keys-queries.ts'
import { LeakedKey, RotateKey } from './rotate-keys.tsx'

/** What the shop signs sessions with. */
export function SigningKeys(): ReactNode {
  const { t } = useTranslation()
  const keys = useQuery(signingKeysQuery)
  const rotate = useDialog<'plain' | 'leaked'>()
  return (
    <section aria-label={t('settings.signing.title')}>
      <Group justify="space-between" mb={4}>
        <Title order={2} size="h4">
          {t('settings.signing.title')}
        </Title>
        <Group gap="xs">
          <Button onClick={() => rotate.open('plain')}>{t('settings.signing.rotate')}</Button>
          <Button variant="subtle" color="red" onClick={() => rotate.open('leaked')}>
            {t('settings.signing.leaked')}
          </Button>
        </Group>
      </Group>
      <Text c="dimmed" mb="sm" maw={640}>
        {t('settings.signing.text')}
      </Text>
      <DataTable
        label={t('settings.signing.title')}
        columns={columnsOf(t)}
        rows={keys.data?.items}
        rowId={({ kid }) => kid}
        query={keys}
        empty={null}
      />
      {rotate.render((dialog, why) => (why === 'plain' ? <RotateKey {...dialog} /> : <LeakedKey {...dialog} />))}
    </section>
  )
}

function columnsOf(t: TFunction): Column<SigningKey>[] {
  return [
    { id: 'kid', header: t('settings.signing.id'), cell: ({ kid }) => <ShortId id={kid} /> },
    { id: 'state', header: t('settings.signing.state'), cell: (key) => <State {...key} /> },
    {
      id: 'signsFrom',
      header: t('settings.signing.signsFrom'),
      secondary: true,
      cell: ({ signsFrom }) => <RelativeTime at={signsFrom} />,
    },
    {
      id: 'retired',
      header: t('settings.signing.retired'),
      secondary: true,
      cell: ({ retiredAt }) => (retiredAt === null ? '–' : <RelativeTime at={retiredAt} />),
    },
  ]
}

function State(signingKey: SigningKey): ReactNode {
  const { t } = useTranslation()
  const state = stateOf(signingKey)
  return <Badge color={state === 'signs' ? 'teal' : 'gray'}>{t(`settings.signing.states.${state}`)}</Badge>
}

function stateOf({ signsFrom, retiredAt }: SigningKey): 'prepared' | 'signs' | 'ended' {
  const now = Date.now()
  if (Date.parse(signsFrom) > now) return 'prepared'
  return retiredAt !== null && Date.parse(retiredAt) <= now ? 'ended' : 'signs'
}
