import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatMoney } from '../../../parts/money.ts'
import { thumbnailOf } from '../../../parts/picture.tsx'
import { valueAt } from '../document.ts'
import { cardsQuery } from './cards-query.ts'
import classes from './preview.module.css'

/** The products, categories or collections that a section shows at the moment. */
export function PreviewCards({ section }: { section: unknown }): ReactNode {
  const { t } = useTranslation()
  const { data: cards = [] } = useQuery(cardsQuery(valueAt(section, ['type']), valueAt(section, ['source'])))
  if (cards.length === 0) return <div className={classes['empty']}>{t('storefront.preview.nothing')}</div>
  return (
    <div className={classes['cards']}>
      {cards.map(({ id, title, picture, price }) => (
        <div key={id}>
          {picture === undefined ? (
            <div className={classes['card']} />
          ) : (
            <img className={classes['card']} src={thumbnailOf(picture)} alt="" loading="lazy" />
          )}
          <div className="ellipsis">{title}</div>
          {price && <div>{formatMoney(price)}</div>}
        </div>
      ))}
    </div>
  )
}
