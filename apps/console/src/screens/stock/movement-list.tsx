import { Group, Skeleton, Stack, Table, Text } from '@mantine/core'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useActorName } from '../../parts/actor-name.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { numeral, signedNumeral } from '../../parts/formats.ts'
import { LoadingState } from '../../parts/loading-state.tsx'
import { RelativeTime } from '../../parts/relative-time.tsx'
import { MoreButton } from '../../parts/more-button.tsx'
import type { Movement } from './stock-queries.ts'

interface MovementListProps {
  movements: UseInfiniteQueryResult<InfiniteData<{ items: Movement[] }>>
}

export function MovementList({ movements }: MovementListProps): ReactNode {
  const { t } = useTranslation()
  if (!movements.data) return <LoadingState queries={[movements]} waiting={<Skeleton height={200} />} />
  const rows = movements.data.pages.flatMap(({ items }) => items)
  if (rows.length === 0) return <EmptyState title={t('stock.noMovements')} text={t('stock.noMovementsText')} />
  return (
    <>
      <Table fz="sm" verticalSpacing={6} aria-label={t('stock.movements')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('stock.column.movement')}</Table.Th>
            <Table.Th className="number">{t('stock.column.onHand')}</Table.Th>
            <Table.Th className="number" visibleFrom="sm">
              {t('stock.column.reserved')}
            </Table.Th>
            <Table.Th className="number">{t('stock.column.available')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((movement) => (
            <MovementRow key={movement.id} movement={movement} />
          ))}
        </Table.Tbody>
      </Table>
      <MoreButton list={movements} />
    </>
  )
}

function MovementRow({ movement }: { movement: Movement }): ReactNode {
  const { t } = useTranslation()
  const actorName = useActorName()
  const { kind, reason, actor, at, after, onHandDelta, reservedDelta } = movement
  return (
    <Table.Tr>
      <Table.Td>
        <Stack gap={0}>
          <Text>{t(`stock.movement.${kind}`)}</Text>
          {reason !== null && <Text size="xs">{reason}</Text>}
          <Text className="small dimmed">
            <RelativeTime at={at} />
            {actor !== null && ` · ${actorName(actor)}`}
          </Text>
        </Stack>
      </Table.Td>
      <Table.Td className="number">
        <Level after={after.onHand} delta={onHandDelta} />
      </Table.Td>
      <Table.Td className="number" visibleFrom="sm">
        <Level after={after.reserved} delta={reservedDelta} />
      </Table.Td>
      <Table.Td className="number">
        <Level after={after.inventory} delta={onHandDelta - reservedDelta} />
      </Table.Td>
    </Table.Tr>
  )
}

function Level({ after, delta }: { after: number; delta: number }): ReactNode {
  return (
    <Group gap={6} justify="flex-end" wrap="nowrap">
      {delta !== 0 && <Text className="small dimmed">{signedNumeral(delta)}</Text>}
      <Text>{numeral(after)}</Text>
    </Group>
  )
}
