import { TagsInput, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Card } from '../../parts/card.tsx'
import { mergeTags } from '../../parts/merge-tags.ts'
import { noticeFailure } from '../../parts/notices.ts'
import { useCan } from '../../session.ts'
import { shop } from '../../shop.ts'
import { refreshBuyers, type Buyer } from './buyers-queries.ts'
import { TagBadges } from './tag-badges.tsx'

const MAX_TAGS = 20
const MAX_LENGTH = 40

/** Words by which the shop sorts its customers; each change is saved at once. */
export function BuyerTags({ buyer: { id, tags } }: { buyer: Buyer }): ReactNode {
  const { t } = useTranslation()
  const can = useCan()
  const save = useMutation({
    // One after the other: a slow change would overwrite the one after it.
    scope: { id: `buyer-tags-${id}` },
    mutationFn: async ({ former, changed }: { former: string[]; changed: string[] }) => {
      const params = { path: { id } }
      const current = await shop.get('/admin/buyers/{id}', { params })
      return shop.patch('/admin/buyers/{id}', { params, body: { tags: mergeTags(former, changed, current.tags) } })
    },
    onSuccess: refreshBuyers,
    onError: noticeFailure,
  })
  const shown = save.isPending ? save.variables.changed : tags
  return (
    <Card title={t('customers.tags.title')}>
      {can('customers:write') ? (
        <TagsInput
          aria-label={t('customers.tags.title')}
          description={t('customers.tags.text')}
          placeholder={t('customers.tags.add')}
          value={shown}
          onChange={(changed) => save.mutate({ former: shown, changed })}
          maxTags={MAX_TAGS}
          maxLength={MAX_LENGTH}
          splitChars={[',']}
        />
      ) : tags.length === 0 ? (
        <Text c="dimmed">{t('customers.tags.none')}</Text>
      ) : (
        <TagBadges tags={tags} />
      )}
    </Card>
  )
}
