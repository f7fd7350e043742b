import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { isRecord, listOf, textOf, valueAt, type Document } from '../document.ts'
import { titleIn } from '../fields.ts'
import { PreviewSection } from './preview-section.tsx'
import { PreviewPromises } from './preview-promises.tsx'
import classes from './preview.module.css'

/** What shoppers would see: rendered plainly, because each storefront has a look of its own. */
export function ShopPreview({ document, className }: { document: Document; className: string }): ReactNode {
  const { t } = useTranslation()
  const promises = listOf(document['promises'])
  const home = listOf(document['home'])
  const showsPromises = home.some((section) => isRecord(section) && section['type'] === 'promises')
  return (
    // With the focus, so that the arrow keys scroll it.
    <section className={className} tabIndex={0} aria-label={t('storefront.preview.title')}>
      <Text className="small dimmed" mb={4}>
        {t('storefront.preview.text')}
      </Text>
      <div className={classes['page']}>
        <Announcement messages={listOf(valueAt(document, ['navigation', 'announcement', 'messages']))} />
        <Header document={document} />
        {home.map((section, index) => (
          <PreviewSection key={index} section={section} promises={promises} />
        ))}
        {home.length === 0 && <div className={classes['empty']}>{t('storefront.preview.noHome')}</div>}
        {!showsPromises && <PreviewPromises promises={promises} />}
        <Footer columns={listOf(valueAt(document, ['navigation', 'footer']))} />
      </div>
    </section>
  )
}

/** The messages take turns in the shop; here all of them can be read. */
function Announcement({ messages }: { messages: readonly unknown[] }): ReactNode {
  const texts = messages.map(textOf).filter((message) => message.trim() !== '')
  if (texts.length === 0) return null
  return <div className={classes['announcement']}>{texts.join(' · ')}</div>
}

function Header({ document }: { document: Document }): ReactNode {
  const { t } = useTranslation()
  const items = listOf(valueAt(document, ['navigation', 'primary']))
  const name = textOf(valueAt(document, ['store', 'logo', 'wordmark'])) || textOf(valueAt(document, ['store', 'name']))
  return (
    <div className={classes['header']}>
      <b>{name}</b>
      <div className={classes['menu']}>
        {items.length === 0 ? (
          <i>{t('storefront.preview.categories')}</i>
        ) : (
          items.map((item, index) => <span key={index}>{titleIn(item, 'label', 'name', 'categorySlug', 'to')}</span>)
        )}
      </div>
    </div>
  )
}

function Footer({ columns }: { columns: readonly unknown[] }): ReactNode {
  if (columns.length === 0) return null
  return (
    <div className={classes['footer']}>
      {columns.map((column, index) => (
        <div key={index}>
          <b>{titleIn(column, 'title')}</b>
          {listOf(valueAt(column, ['links'])).map((each, place) => (
            <div key={place}>{titleIn(each, 'label', 'to')}</div>
          ))}
        </div>
      ))}
    </div>
  )
}
