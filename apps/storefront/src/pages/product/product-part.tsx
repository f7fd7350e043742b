import type { ComponentChildren } from 'preact'
import { partOrPage, type LiveRequest, type LiveResult } from '../../server/live-page.tsx'
import type { Product } from '../../shop/catalog.ts'
import { productAddress } from './product-view.ts'

/** What belongs to the page of a product: a script puts it there, and without one it has a page of its own. */
export function productPart(
  request: LiveRequest,
  product: Product,
  title: string,
  body: ComponentChildren,
): LiveResult {
  const back = request.context.language.t('product.backTo', { title: product.title })
  return partOrPage(request, body, {
    head: { title, isPrivate: true, style: 'product' },
    class: 'page',
    contents: (
      <>
        {body}
        <p>
          <a href={productAddress(product.slug)}>{back}</a>
        </p>
      </>
    ),
  })
}
