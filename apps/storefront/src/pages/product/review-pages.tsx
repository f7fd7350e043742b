import { StorefrontError } from '@storefront/client'
import type { ComponentChildren } from 'preact'
import { z } from 'zod'
import { useLanguage } from '../../layout/page-context.ts'
import { Loading } from '../../parts/loading.tsx'
import { notFound } from '../../server/error-page.tsx'
import { livePage, type LiveRequest, type LiveResult } from '../../server/live-page.tsx'
import type { App, Storefront } from '../../server/storefront.ts'
import type { Product } from '../../shop/catalog.ts'
import { dropSession } from '../account/drop-session.ts'
import { optionsOf } from './product-options.ts'
import { productPart } from './product-part.tsx'
import { productAddress } from './product-view.ts'
import { REVIEW_FIELDS, ReviewForm, type ReviewField } from './review-form.tsx'

const Issues = z.object({ issues: z.array(z.object({ path: z.string(), message: z.string() })) })
const FITS = ['small', 'true', 'large'] as const
/** Errors that the form has a place for. */
const SHOWN = new Set(['conflict', 'forbidden', 'rate_limited', 'validation_failed'])

/** Customers write reviews, which the shop shows after a merchant has published them. */
export function reviewPages(app: App, storefront: Storefront): void {
  const route = '/product/:slug/review'
  livePage(app, storefront, { route, view: (request) => withProduct(request, showForm) })
  livePage(app, storefront, { method: 'POST', route, view: (request) => withProduct(request, send) })
}

async function withProduct(
  request: LiveRequest,
  view: (request: LiveRequest, product: Product) => LiveResult | Promise<LiveResult>,
): Promise<LiveResult> {
  const isOff = request.context.frame.settings.features?.reviews === false
  const product = isOff ? undefined : await request.catalog.product(request.params['slug'] ?? '')
  return product ? view(request, product) : notFound(request.context)
}

function showForm(request: LiveRequest, product: Product): LiveResult {
  const address = reviewAddress(product)
  if (request.token !== undefined) return page(request, product, <Form product={product} />)
  if (request.hasScript) return page(request, product, <SignIn product={product} />)
  // A script knows the session of this browser when there is no cookie.
  return page(
    request,
    product,
    <>
      <div hx-get={address} hx-trigger="load">
        <Loading />
      </div>
      <noscript>
        <SignIn product={product} />
      </noscript>
    </>,
  )
}

const reviewAddress = ({ slug }: Product): string => `${productAddress(slug)}/review`

/** Back to the review after the sign-in. */
const signInAddress = (product: Product): string => `/account?next=${encodeURIComponent(reviewAddress(product))}`

function SignIn({ product }: { product: Product }) {
  const { t } = useLanguage()
  return (
    <p class="notice" role="status">
      {t('product.signInToReview')} <a href={signInAddress(product)}>{t('product.signIn')}</a>
    </p>
  )
}

/** The session has ended: what was written stays in the form. */
function SignedOut({ product }: { product: Product }) {
  const { t } = useLanguage()
  return (
    <>
      {t('product.signedOutOfReview')}{' '}
      <a href={signInAddress(product)} target="_blank" rel="noopener">
        {t('product.signIn')}
      </a>
    </>
  )
}

interface FormProps {
  product: Product
  sent?: URLSearchParams
  problems?: ReadonlyMap<ReviewField, string>
  problem?: ComponentChildren
}

function Form({ product, sent = new URLSearchParams(), problems = new Map(), problem }: FormProps) {
  const sizes = optionsOf(product).find(({ isSize }) => isSize)?.values ?? []
  return <ReviewForm {...{ address: reviewAddress(product), sizes, sent, problems, problem }} />
}

async function send(request: LiveRequest, product: Product): Promise<LiveResult> {
  const { form, shop, context, token } = request
  const signedOut = <Form {...{ product, sent: form, problem: <SignedOut product={product} /> }} />
  if (token === undefined) return page(request, product, signedOut)
  const { t } = context.language
  const field = (name: ReviewField) => (form.get(name) ?? '').trim()
  const fit = FITS.find((one) => one === form.get('fit'))
  try {
    await shop.post('/products/{slug}/reviews', {
      params: { path: { slug: product.slug } },
      body: {
        author: field('author'),
        rating: Number(form.get('rating')),
        body: field('body'),
        size: field('size'),
        height: field('height'),
        photos: [],
        ...(fit && { fit }),
      },
    })
  } catch (error) {
    if (!(error instanceof StorefrontError)) throw error
    if (error.status === 401) {
      await dropSession(request)
      return page(request, product, signedOut)
    }
    if (!SHOWN.has(error.code)) throw error
    const problems = problemsOf(error, request)
    const problem = problems.size > 0 ? undefined : context.language.error(error)
    return page(request, product, <Form {...{ product, sent: form, problems, problem }} />)
  }
  return page(
    request,
    product,
    <p class="notice" role="status">
      {t('product.reviewSent')}
    </p>,
  )
}

function problemsOf({ code, detail }: StorefrontError, { context }: LiveRequest): Map<ReviewField, string> {
  const { issues } = Issues.safeParse(detail).data ?? { issues: [] }
  const { t, error } = context.language
  const problems = new Map<ReviewField, string>()
  for (const { path, message } of issues) {
    const field = REVIEW_FIELDS.find((one) => one === path.split('.').at(-1))
    if (field === 'author' || field === 'rating') problems.set(field, t(`product.missing.${field}`))
    // The shop describes an issue in English only.
    else if (field) problems.set(field, error({ code, message }))
  }
  return problems
}

/** For a script only what it puts below the reviews. */
function page(request: LiveRequest, product: Product, body: ComponentChildren): LiveResult {
  return productPart(request, product, request.context.language.t('product.reviewOf', { title: product.title }), body)
}
