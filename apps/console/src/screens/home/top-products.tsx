import { Anchor, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatMoney } from '../../parts/money.ts'
import type { Summary } from './home-queries.ts'

/** What sold best in the period. */
export function TopProducts({ products }: { products: Summary['topProducts'] | undefined }): ReactNode {
  const { t } = useTranslation()
  return (
    <Paper withBorder p="md" h="100%">
      <Title order={2} size="h4" mb="sm">
        {t('home.topProducts')}
      </Title>
      {!products && <Skeleton height={220} />}
      {products?.length === 0 && (
        <Text size="md" c="dimmed">
          {t('home.nothingSold')}
        </Text>
      )}
      <Stack gap="xs" component="ol" p={0} m={0} style={{ listStyle: 'none' }}>
        {products?.map((product) => (
          <Group key={product.productId} component="li" justify="space-between" wrap="nowrap" gap="xs">
            <Anchor
              renderRoot={(props) => <Link {...props} to={`/products/${product.productId}`} />}
              className="ellipsis"
            >
              {product.title}
            </Anchor>
            <Text className="number">
              {t('home.sold', { count: product.units, revenue: formatMoney(product.revenue) })}
            </Text>
          </Group>
        ))}
      </Stack>
    </Paper>
  )
}
