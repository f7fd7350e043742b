import { choice, field, text, titleIn, type Field, type ListField, type Template } from './fields.ts'
import { isRecord } from './document.ts'

export const link: readonly Field[] = [text('label', 'label'), text('to', 'to')]
const button: readonly Field[] = [...link, choice('variant', 'variant', { accent: 'accent', outline: 'outline' })]
const picture: readonly Field[] = [field('picture', 'image.url', 'picture'), text('image.alt', 'alt')]
const more: readonly Field[] = [text('ctaLabel', 'ctaLabel'), text('ctaTo', 'ctaTo')]
const limit = field('number', 'source.limit', 'limit')

/** The fields of each kind of section of the home page. */
const FIELDS: Readonly<Record<string, readonly Field[]>> = {
  hero: [
    text('eyebrow', 'eyebrow'),
    text('title', 'title'),
    field('longText', 'body', 'body'),
    ...picture,
    text('focal', 'focal'),
    {
      kind: 'list',
      path: 'actions',
      label: 'actions',
      titleOf: (item) => titleIn(item, 'label', 'to'),
      fieldsOf: () => button,
      templates: [{ name: 'action', item: { label: '', to: '', variant: 'accent' } }],
    },
  ],
  'category-strip': [text('title', 'title'), field('category', 'source.parent', 'parentCategory'), limit, ...more],
  'product-rail': [
    text('title', 'title'),
    choice('source.sort', 'sort', {
      featured: 'featured',
      newest: 'newest',
      'price-asc': 'priceUp',
      'price-desc': 'priceDown',
    }),
    field('category', 'source.category', 'category'),
    field('collection', 'source.collection', 'collection'),
    limit,
    ...more,
  ],
  editorial: [
    text('eyebrow', 'eyebrow'),
    text('title', 'title'),
    field('lines', 'body', 'paragraphs'),
    ...picture,
    text('action.label', 'actionLabel'),
    text('action.to', 'actionTo'),
  ],
  'collection-grid': [text('title', 'title'), limit, ...more],
  'rich-text': [
    text('title', 'title'),
    field('longText', 'body', 'body'),
    text('action.label', 'actionLabel'),
    text('action.to', 'actionTo'),
  ],
  promises: [text('title', 'title')],
}

const TEMPLATES: readonly Template[] = [
  { name: 'hero', item: { type: 'hero', title: '' } },
  { name: 'category-strip', item: { type: 'category-strip', title: '', source: { limit: 4 } } },
  { name: 'product-rail', item: { type: 'product-rail', title: '', source: { sort: 'newest', limit: 4 } } },
  { name: 'editorial', item: { type: 'editorial', title: '', body: [] } },
  { name: 'collection-grid', item: { type: 'collection-grid', title: '' } },
  { name: 'rich-text', item: { type: 'rich-text', title: '', body: '' } },
  { name: 'promises', item: { type: 'promises', title: '' } },
]

/** The sections of the home page. Those of other kinds keep their place, and have no form. */
export const homeList: ListField = {
  kind: 'list',
  path: 'home',
  label: 'home',
  titleOf: (item) => titleIn(item, 'title', 'eyebrow', 'id'),
  fieldsOf: (item) => FIELDS[typeOf(item)] ?? [],
  templates: TEMPLATES,
}

export function typeOf(item: unknown): string {
  return isRecord(item) && typeof item['type'] === 'string' ? item['type'] : ''
}
