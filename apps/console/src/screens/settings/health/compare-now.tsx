import { Button } from '@mantine/core'
import { UpdateIcon } from '@radix-ui/react-icons'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../../session.ts'
import { useCompare } from './use-compare.ts'

export function CompareNow(): ReactNode {
  const { t } = useTranslation()
  const can = useCan()
  const compare = useCompare()
  if (!can('orders:write')) return null
  return (
    <Button
      variant="filled"
      leftSection={<UpdateIcon />}
      loading={compare.isPending}
      onClick={() => compare.mutate({})}
    >
      {t('settings.health.compare')}
    </Button>
  )
}
