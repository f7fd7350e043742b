import type { ComponentChildren } from 'preact'
import type { LiveRequest, LiveResult } from '../../server/live-page.tsx'
import type { Product } from '../../shop/catalog.ts'
import { productAddress } from './product-view.ts'

/** What belongs to the page of a product: a script puts it there, and without one it has a page of its own. */
export function productPart(
  { hasScript, context }: LiveRequest,
  product: Product,
  title: string,
  body: ComponentChildren,
): LiveResult {
  if (hasScript) return { fragment: body }
  return {
    head: { title, isPrivate: true, style: 'product' },
    body: (
      <section class="page">
        <h1>{title}</h1>
        {body}
        <p>
          <a href={productAddress(product.slug)}>{context.language.t('product.backTo', { title: product.title })}</a>
        </p>
      </section>
    ),
  }
}
