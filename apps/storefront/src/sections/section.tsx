import { CategoryStrip } from './category-strip.tsx'
import { CollectionGrid } from './collection-grid.tsx'
import { Editorial } from './editorial.tsx'
import { Hero } from './hero.tsx'
import { ProductRail } from './product-rail.tsx'
import { Promises } from './promises.tsx'
import { RichText } from './rich-text.tsx'
import type { SectionProps } from './section-props.ts'

const KINDS: Record<string, (props: SectionProps) => preact.JSX.Element | null> = {
  hero: Hero,
  'category-strip': CategoryStrip,
  'product-rail': ProductRail,
  editorial: Editorial,
  'collection-grid': CollectionGrid,
  'rich-text': RichText,
  promises: Promises,
}

/** Sections of other types belong to other storefronts, and show nothing. */
export function Section(props: SectionProps) {
  const Kind = Object.hasOwn(KINDS, props.section.type) ? KINDS[props.section.type] : undefined
  return Kind ? <Kind {...props} /> : null
}
