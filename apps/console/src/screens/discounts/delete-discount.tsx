import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { noticeDone, noticeFailure, noticeUndo } from '../../parts/notices.ts'
import { TypedConfirmation } from '../../parts/typed-confirmation.tsx'
import { useOneAtATime } from '../../parts/use-one-at-a-time.ts'
import { queryClient } from '../../query-client.ts'
import { shop } from '../../shop.ts'
import { DISCOUNTS, type Discount } from './discounts-queries.ts'

/** An unused code can be created again as it was; the usage of another one would be lost, so that needs its name. */
export function DeleteDiscount({ discount }: { discount: Discount }): ReactNode {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [isOpen, setOpen] = useState(false)
  const { code, used } = discount

  const removal = useMutation({
    mutationFn: () => shop.delete('/admin/discounts/{code}', { params: { path: { code } } }),
    onSuccess: async () => {
      await navigate({ to: '/discounts', ignoreBlocker: true })
      void queryClient.invalidateQueries({ queryKey: DISCOUNTS })
      if (used > 0) noticeDone(t('discounts.deleted', { code }))
      else noticeUndo(t('discounts.deleted', { code }), createAgain, t('discounts.created', { code }))
    },
    onError: (error) => noticeFailure(error),
  })
  const remove = useOneAtATime(removal)

  async function createAgain(): Promise<void> {
    const { used: _used, ...body } = discount
    await shop.post('/admin/discounts', { body })
    await queryClient.invalidateQueries({ queryKey: DISCOUNTS })
  }

  return (
    <>
      <Button
        variant="light"
        color="red"
        loading={removal.isPending}
        onClick={() => (used > 0 ? setOpen(true) : remove())}
      >
        {t('discounts.delete')}
      </Button>
      <TypedConfirmation
        opened={isOpen}
        title={t('discounts.deleteTitle', { code })}
        text={t('discounts.deleteText', { count: used })}
        word={code}
        action={t('discounts.delete')}
        onClose={() => setOpen(false)}
        onConfirm={() => remove()}
      />
    </>
  )
}
