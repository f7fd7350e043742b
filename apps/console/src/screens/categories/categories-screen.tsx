import { Button, Paper, Skeleton, Stack, Text } from '@mantine/core'
import { PlusIcon } from '@radix-ui/react-icons'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../parts/empty-state.tsx'
import { LoadingState } from '../../parts/loading-state.tsx'
import { Page } from '../../parts/page.tsx'
import { useDialog, type DialogProps } from '../../parts/use-dialog.tsx'
import { useCan } from '../../session.ts'
import { categoriesQuery, type Category } from './categories-queries.ts'
import { CategoryDialog } from './category-dialog.tsx'
import type { CategoryAction } from './category-row.tsx'
import { CategoryTree } from './category-tree.tsx'
import { DeleteCategory } from './delete-category.tsx'

/** The tree in which shoppers find products. */
export function CategoriesScreen(): ReactNode {
  const { t } = useTranslation()
  const canWrite = useCan()('catalog:write')
  const read = useQuery(categoriesQuery)
  const categories = read.data?.items
  const dialog = useDialog<{ action: CategoryAction; category: Category | undefined }>()
  const create = (
    <Button
      variant="filled"
      leftSection={<PlusIcon />}
      onClick={() => dialog.open({ action: 'add', category: undefined })}
    >
      {t('categories.new')}
    </Button>
  )

  return (
    <Page title={t('screens.categories')} actions={canWrite && create}>
      {!categories && <LoadingState queries={[read]} waiting={<Waiting />} />}
      {categories && (
        <Paper withBorder p="xs">
          {categories.length === 0 ? (
            <EmptyState title={t('categories.none')} text={t('categories.noneText')} action={canWrite && create} />
          ) : (
            <>
              {canWrite && (
                <Text c="dimmed" px="xs" pb="xs" visibleFrom="sm">
                  {t('categories.hint')}
                </Text>
              )}
              <CategoryTree
                categories={categories}
                canWrite={canWrite}
                onAction={(action, category) => dialog.open({ action, category })}
              />
            </>
          )}
        </Paper>
      )}
      {categories && dialog.render((props, target) => <Dialog {...props} {...target} categories={categories} />)}
    </Page>
  )
}

interface CategoryDialogsProps extends DialogProps {
  categories: readonly Category[]
  action: CategoryAction
  category: Category | undefined
}

function Dialog({ action, category, ...shared }: CategoryDialogsProps): ReactNode {
  if (action === 'delete' && category) return <DeleteCategory {...shared} category={category} />
  return (
    <CategoryDialog
      {...shared}
      category={action === 'edit' ? category : undefined}
      parent={action === 'add' ? (category?.slug ?? null) : null}
    />
  )
}

function Waiting(): ReactNode {
  return (
    <Stack gap="xs">
      {Array.from({ length: 6 }, (_each, index) => (
        <Skeleton key={index} height={44} />
      ))}
    </Stack>
  )
}
