import { Button } from '@mantine/core'
import { ExternalLinkIcon } from '@radix-ui/react-icons'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { noticeDone, noticeFailure } from '../../../parts/notices.ts'
import { TypedConfirmation } from '../../../parts/typed-confirmation.tsx'
import { useCan } from '../../../session.ts'
import { shopSettingsQuery } from '../../../shop-settings.ts'
import { shop } from '../../../shop.ts'
import { productQuery, PRODUCTS_KEY, type AdminProduct } from '../products-queries.ts'

/** What can be done to a saved product as a whole. */
export function ProductActions({ product }: { product: AdminProduct }): ReactNode {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const canWrite = useCan()('catalog:write')
  const siteUrl = useQuery(shopSettingsQuery).data?.seo?.siteUrl
  const [deleting, setDeleting] = useState(false)

  async function remove(): Promise<void> {
    try {
      await shop.delete('/admin/products/{id}', { params: { path: { id: product.id } } })
      noticeDone(t('products.deleted', { title: product.title }))
      // What was typed is gone with the product.
      await navigate({ to: '/products', ignoreBlocker: true })
      queries.removeQueries({ queryKey: productQuery(product.id).queryKey })
      await queries.invalidateQueries({ queryKey: [PRODUCTS_KEY, 'list'] })
    } catch (error) {
      noticeFailure(error)
    }
  }

  return (
    <>
      {product.published && siteUrl && (
        <Button
          component="a"
          href={`${siteUrl.replace(/\/$/, '')}/product/${product.slug}`}
          target="_blank"
          rel="noreferrer"
          rightSection={<ExternalLinkIcon />}
        >
          {t('products.view')}
        </Button>
      )}
      {canWrite && (
        <Button variant="light" color="red" onClick={() => setDeleting(true)}>
          {t('products.delete')}
        </Button>
      )}
      <TypedConfirmation
        opened={deleting}
        title={t('products.deleteTitle')}
        text={t('products.deleteText', { title: product.title })}
        word={product.title}
        action={t('products.delete')}
        onClose={() => setDeleting(false)}
        onConfirm={() => void remove()}
      />
    </>
  )
}
