import { List, Text } from '@mantine/core'
import { t } from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { ifMatch } from '../../parts/edit-conflict.ts'
import { noticeDone, noticeUndo, succeeds } from '../../parts/notices.ts'
import type { DialogProps } from '../../parts/use-dialog.tsx'
import { shop } from '../../shop.ts'
import type { Category } from './categories-queries.ts'
import { childrenOf } from './category-order.ts'
import { bodyOf, refreshCategories, valuesOf } from './save-category.ts'

interface DeleteCategoryProps extends DialogProps {
  category: Category
  categories: readonly Category[]
}

/** Says what depends on a category before it is deleted. */
export function DeleteCategory({ opened, onClose, category, categories }: DeleteCategoryProps): ReactNode {
  const { t } = useTranslation()
  const { name, slug, parent, productCount } = category
  const children = childrenOf(categories, slug)
  const above = categories.find((each) => each.slug === parent)?.name
  return (
    <ConfirmDialog
      opened={opened}
      title={t('categories.deleteTitle', { name })}
      text={
        <>
          <List size="sm" spacing="xs">
            <List.Item>
              {productCount === 0 ? t('categories.noProducts') : t('categories.products', { count: productCount })}
            </List.Item>
            {children.length > 0 && (
              <List.Item>
                {above === undefined
                  ? t('categories.childrenTop', { count: children.length })
                  : t('categories.children', { count: children.length, parent: above })}
              </List.Item>
            )}
          </List>
          <Text fw={600}>{t(productCount === 0 ? 'categories.canUndo' : 'categories.cannotUndo')}</Text>
        </>
      }
      action={t('categories.delete')}
      isDangerous
      onClose={onClose}
      onConfirm={() => void remove(category, children)}
    />
  )
}

async function remove(category: Category, children: readonly Category[]): Promise<void> {
  const { slug, name, productCount, etag } = category
  const isDeleted = await succeeds(
    shop.delete('/admin/categories/{slug}', { params: { path: { slug }, ...ifMatch(etag) } }),
  )
  void refreshCategories()
  if (!isDeleted) return
  // Which products were in it is lost with it.
  if (productCount > 0) return noticeDone(t('categories.deleted', { name }))
  const undo = async (): Promise<void> => {
    await shop.post('/admin/categories', { body: { ...bodyOf(valuesOf(category)), position: category.position } })
    for (const child of children) {
      await shop.post('/admin/categories', { body: { slug: child.slug, parent: slug, position: child.position } })
    }
    await refreshCategories()
  }
  noticeUndo(t('categories.deleted', { name }), undo, t('categories.restored', { name }))
}
