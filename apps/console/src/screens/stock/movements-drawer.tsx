import { Group, Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { numeral } from '../../parts/formats.ts'
import { SideDrawer } from '../../parts/side-drawer.tsx'
import { useCan } from '../../session.ts'
import { AdjustForm } from './adjust-form.tsx'
import { MovementList } from './movement-list.tsx'
import { movementsQuery } from './stock-queries.ts'

interface MovementsDrawerProps {
  /** Undefined while it is closed. */
  variantId: string | undefined
  name: string | undefined
  onClose: () => void
}

/** The stock of one variant, and every movement that led to it. */
export function MovementsDrawer({ variantId, name, onClose }: MovementsDrawerProps): ReactNode {
  const { t } = useTranslation()
  return (
    <SideDrawer
      opened={variantId !== undefined}
      onClose={onClose}
      title={name === undefined ? t('stock.historyTitle') : t('stock.historyOf', { sku: name })}
    >
      {variantId !== undefined && <VariantStock variantId={variantId} sku={name ?? ''} />}
    </SideDrawer>
  )
}

const NO_STOCK = { onHand: 0, reserved: 0, inventory: 0 }

function VariantStock({ variantId, sku }: { variantId: string; sku: string }): ReactNode {
  const { t } = useTranslation()
  const can = useCan()
  const movements = useInfiniteQuery(movementsQuery(variantId))
  const first = movements.data?.pages[0]
  // Without a movement there never was any stock.
  const latest = first && (first.items[0]?.after ?? NO_STOCK)
  return (
    <Stack>
      {latest && (
        <Group gap="xl">
          {(['onHand', 'reserved', 'inventory'] as const).map((level) => (
            <div key={level}>
              <Text className="small dimmed">{t(`stock.level.${level}`)}</Text>
              <Text size="xl" fw={600}>
                {numeral(latest[level])}
              </Text>
            </div>
          ))}
        </Group>
      )}
      {can('inventory:write') && latest && (
        <AdjustForm key={variantId} row={{ variantId, sku, available: latest.inventory }} />
      )}
      <MovementList movements={movements} />
    </Stack>
  )
}
