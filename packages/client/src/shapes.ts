import {
  AlertConfirmation,
  Cart,
  Category,
  CheckoutResponse,
  CheckoutSession,
  Collection,
  Customer,
  DeliveryEstimate,
  EmailVerification,
  listOf,
  Ok,
  Order,
  Product,
  ProductList,
  Review,
  ReviewSummary,
  SearchSuggestions,
  SizeChart,
  StorefrontConfiguration,
  SubmittedReview,
  Timestamp,
  Vocabulary,
} from '@storefront/contracts/shapes'
import { z } from 'zod'
import type { OperationKey } from './operations.ts'

const page = { page: z.int().positive(), perPage: z.int().positive() }
const SignedIn = z.object({ token: z.string(), customer: Customer })

/** The successful response of every storefront operation: the same shapes that the services send. */
export const SHAPES = {
  'GET /bootstrap': z.object({
    storefront: StorefrontConfiguration,
    categories: z.array(Category),
    collections: listOf(Collection),
    rails: z.record(z.string(), z.array(Product)),
    generatedAt: Timestamp,
  }),
  'GET /storefront': StorefrontConfiguration,
  'GET /attributes': Vocabulary,
  'GET /size-charts': listOf(SizeChart),
  'GET /categories': listOf(Category),
  'GET /collections': listOf(Collection),
  'GET /delivery-estimate': DeliveryEstimate,
  'GET /search/suggest': SearchSuggestions,

  'GET /products': ProductList,
  'GET /products/{slug}': Product,
  'GET /products/{slug}/related': listOf(Product).extend({ strategy: z.string() }),
  'GET /products/{slug}/reviews': listOf(Review).extend({ ...page, summary: ReviewSummary }),
  'POST /products/{slug}/reviews': SubmittedReview,

  'POST /carts': Cart,
  'GET /carts/{id}': Cart,
  'POST /carts/{id}/lines': Cart,
  'DELETE /carts/{id}/lines': Cart,
  'PATCH /carts/{id}/lines/{lineId}': Cart,
  'DELETE /carts/{id}/lines/{lineId}': Cart,
  'POST /carts/{id}/discount': Cart,

  'POST /carts/{id}/checkout': CheckoutResponse,
  'POST /checkout/sessions': CheckoutResponse,
  'GET /checkout/sessions/{id}': CheckoutSession,
  'POST /payments/verify': Order,

  'GET /orders': listOf(Order).extend(page),
  'GET /orders/{id}': Order,
  'POST /orders/lookup': Order,

  'POST /auth/register': SignedIn,
  'POST /auth/login': SignedIn,
  'POST /auth/logout': Ok,
  'POST /auth/password/forgot': Ok,
  'POST /auth/password/reset': Ok,
  'POST /auth/password/change': Ok,
  'POST /auth/email/verify': EmailVerification,
  'POST /auth/email/change': Ok,

  'GET /me': Customer,
  'PATCH /me': Customer,
  'DELETE /me': Ok,
  'POST /me/addresses': Customer,
  'PATCH /me/addresses/{id}': Customer,
  'DELETE /me/addresses/{id}': Customer,
  'GET /me/wishlist': listOf(Product),
  'POST /me/wishlist': Ok,
  'DELETE /me/wishlist/{slug}': Ok,

  'POST /newsletter': Ok,
  'POST /newsletter/confirm': Ok,
  'POST /newsletter/unsubscribe': Ok,

  'POST /alerts': Ok,
  'POST /alerts/confirm': AlertConfirmation,
  'POST /alerts/unsubscribe': Ok,
} as const satisfies Partial<Record<OperationKey, z.ZodType>>
