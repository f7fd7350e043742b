import { Button, Tabs, Text } from '@mantine/core'
import { PlusIcon } from '@radix-ui/react-icons'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useFilters } from '../../parts/filters.ts'
import { Page } from '../../parts/page.tsx'
import { useDialog } from '../../parts/use-dialog.tsx'
import { useCan } from '../../session.ts'
import { AttributeDialog } from './attribute-dialog.tsx'
import { AttributeTable } from './attribute-table.tsx'
import { CardDialog } from './card-dialog.tsx'
import { CardTable } from './card-table.tsx'
import { KINDS, libraryQuery, type Attribute, type Card } from './library-queries.ts'

interface Edited {
  attribute?: Attribute | undefined
  card?: Card | undefined
}

/** What editors of products choose from, besides what is built in. */
export function LibraryScreen(): ReactNode {
  const { t } = useTranslation()
  const canWrite = useCan()('catalog:write')
  const [filters, change] = useFilters()
  const kind = KINDS.find((each) => each === filters['kind']) ?? 'attributes'
  const library = useQuery(libraryQuery)
  const dialog = useDialog<Edited>()
  const create = canWrite && (
    <Button variant="filled" leftSection={<PlusIcon />} onClick={() => dialog.open({})}>
      {t(`library.new.${kind}`)}
    </Button>
  )
  const shared = { query: library.data ? undefined : library, canWrite, create }
  return (
    <Page title={t('screens.library')} actions={create}>
      <Tabs value={kind} onChange={(next) => change({ kind: next ?? undefined, q: undefined })} keepMounted={false}>
        <Tabs.List mb="md">
          {KINDS.map((each) => (
            <Tabs.Tab key={each} value={each}>
              {t(`library.kind.${each}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={kind}>
          <Text c="dimmed" mb="sm" maw={720}>
            {t(`library.text.${kind}`)}
          </Text>
          {kind === 'attributes' ? (
            <AttributeTable
              attributes={library.data?.attributes}
              onEdit={(attribute) => dialog.open({ attribute })}
              {...shared}
            />
          ) : (
            <CardTable kind={kind} cards={library.data?.[kind]} onEdit={(card) => dialog.open({ card })} {...shared} />
          )}
        </Tabs.Panel>
      </Tabs>
      {dialog.render((props, { attribute, card }) =>
        kind === 'attributes' ? (
          <AttributeDialog {...props} attribute={attribute} />
        ) : (
          <CardDialog {...props} kind={kind} card={card} />
        ),
      )}
    </Page>
  )
}
