import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { RowMenu } from '../../parts/row-menu.tsx'
import type { Kind } from './library-queries.ts'
import { deleteItem } from './save-item.ts'

interface ItemMenuProps {
  kind: Kind
  name: string
  item: { id: string }
  onEdit: () => void
}

/** What can be done with an item of the library. */
export function ItemMenu({ kind, name, item, onEdit }: ItemMenuProps): ReactNode {
  const { t } = useTranslation()
  return (
    <RowMenu
      label={t('library.menu', { name })}
      actions={[
        { label: t('library.edit'), onClick: onEdit },
        { label: t('library.delete'), isDangerous: true, onClick: () => void deleteItem(kind, name, { ...item }) },
      ]}
    />
  )
}
