import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { pictureAddress } from '../../../parts/picture.tsx'
import { listOf, textOf, valueAt } from '../document.ts'
import { titleIn } from '../fields.ts'
import { typeOf } from '../home-fields.ts'
import { PreviewCards } from './preview-cards.tsx'
import { PreviewPromises } from './preview-promises.tsx'
import classes from './preview.module.css'

interface PreviewSectionProps {
  section: unknown
  promises: readonly unknown[]
}

/** One section of the home page. */
export function PreviewSection({ section, promises }: PreviewSectionProps): ReactNode {
  const { t } = useTranslation()
  switch (typeOf(section)) {
    case 'hero':
    case 'editorial':
    case 'rich-text':
      return <WordsSection section={section} />
    case 'category-strip':
    case 'product-rail':
    case 'collection-grid':
      return (
        <div className={classes['section']}>
          <div className={classes['line']}>
            <b className={classes['title']}>{titleIn(section, 'title')}</b>
            <u>{titleIn(section, 'ctaLabel')}</u>
          </div>
          <PreviewCards section={section} />
        </div>
      )
    case 'promises':
      return (
        <div className={classes['section']}>
          <b className={classes['title']}>{titleIn(section, 'title')}</b>
          <PreviewPromises promises={promises} />
        </div>
      )
    default:
      return <div className={classes['empty']}>{t('storefront.preview.other', { type: typeOf(section) })}</div>
  }
}

function WordsSection({ section }: { section: unknown }): ReactNode {
  const picture = pictureAddress(textOf(valueAt(section, ['image', 'url'])))
  const body = valueAt(section, ['body'])
  const paragraphs = (Array.isArray(body) ? listOf(body) : [body]).map(textOf).filter((each) => each !== '')
  const actions = [...listOf(valueAt(section, ['actions'])), valueAt(section, ['action'])]
    .map((action) => titleIn(action, 'label'))
    .filter((label) => label !== '')
  return (
    <div className={classes['section']} data-type={typeOf(section)}>
      {picture !== '' && (
        <img
          className={classes['picture']}
          src={picture}
          alt={textOf(valueAt(section, ['image', 'alt']))}
          style={{ objectPosition: textOf(valueAt(section, ['focal'])) || '50% 50%' }}
        />
      )}
      <div className={classes['eyebrow']}>{titleIn(section, 'eyebrow')}</div>
      <b className={classes['title']}>{titleIn(section, 'title')}</b>
      {paragraphs.map((paragraph, index) => (
        <div key={index} className="text">
          {paragraph}
        </div>
      ))}
      <div className={classes['actions']}>
        {actions.map((label, index) => (
          <span key={index} className={classes['action']}>
            {label}
          </span>
        ))}
      </div>
    </div>
  )
}
