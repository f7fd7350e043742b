import type { ErrorCode } from '@storefront/contracts'

interface ErrorDescription {
  /** When the shop returns it, and what the caller can do. */
  meaning: string
  /** For an example: one sentence for the person who uses the storefront. */
  message: string
  /** For an example, if this code has any. */
  detail?: Record<string, unknown>
}

const issues = (path: string, message: string) => ({ issues: [{ path, message }] })

/** The descriptions of all error codes in the API reference. */
export const ERROR_DESCRIPTIONS: Record<ErrorCode, ErrorDescription> = {
  already_refunded: {
    meaning: 'Nothing is left to refund of the order.',
    message: 'Nothing is left to refund of this order.',
  },
  amount_too_large: {
    meaning: 'The amount is more than what is left to refund; `detail.left` is the remaining amount in minor units.',
    message: '`amount` is more than what is left to refund of this order.',
    detail: { left: 4000 },
  },
  bad_gateway: {
    meaning:
      'A service of the shop sent an invalid response, and whether a write happened is unknown; or the payment provider rejected ' +
      'the call, and no money moved.',
    message: 'Something went wrong on our side. Please try again.',
  },
  bad_json: {
    meaning: 'The body is not JSON.',
    message: 'The request body is not valid JSON.',
    detail: { reason: 'the body is not JSON' },
  },
  bad_request: {
    meaning:
      'The request is not valid HTTP, or did not arrive in full. The status is 408 if a body arrived too slowly, and 431 if the headers are too large.',
    message: 'The request could not be understood.',
  },
  bad_signature: {
    meaning:
      'The signature is missing or too old, or does not match this content: it was not made with the secret of this shop.',
    message: 'The signature of this webhook is missing or invalid.',
  },
  cart_not_found: {
    meaning: 'The cart does not exist, has expired, or belongs to another customer. Create a new one.',
    message: 'This cart no longer exists.',
  },
  category_cycle: {
    meaning: 'The category would become its own descendant.',
    message: 'A category cannot be its own parent or a child of its own subcategories.',
  },
  conflict: {
    meaning: 'The object was changed meanwhile, or its state does not allow this. Read it again before you retry.',
    message: 'Someone else changed this product in the meantime. Please reload it and try again.',
  },
  currency_mismatch: {
    meaning: "An amount is in another currency than the shop's.",
    message: 'This shop sells in USD. Please reload the page.',
    detail: { asked: 'EUR', currency: 'USD' },
  },
  email_required: {
    meaning: 'The email address of the buyer is missing.',
    message: 'Please enter your email address.',
  },
  email_taken: {
    meaning: 'An account with this email address already exists.',
    message: 'An account with this email address already exists. Please sign in instead.',
  },
  empty_cart: {
    meaning: 'The cart is empty, or none of its lines can be bought.',
    message: 'Your cart is empty.',
  },
  forbidden: {
    meaning: 'The caller may not do this; a missing permission is in `detail.permission`.',
    message: 'You are not allowed to do this.',
    detail: { permission: 'orders:write' },
  },
  gateway_timeout: {
    meaning:
      'A service of the shop did not reply in time. Whether a write happened is unknown: repeat it with the same `Idempotency-Key`.',
    message: 'This is taking longer than it should. Please try again.',
  },
  idempotency_mismatch: {
    meaning: 'This `Idempotency-Key` was already used for another request. Use a new key for a new request.',
    message: 'This request was already sent with different details. Please start again.',
  },
  insufficient_inventory: {
    meaning: 'Fewer are left than wanted; `detail.available` says how many.',
    message: 'Only 3 left in that size.',
    detail: { available: 3 },
  },
  internal_error: {
    meaning: 'An internal error of the shop. Report `requestId` to its operator.',
    message: 'Something went wrong on our side. Please try again.',
  },
  invalid_amount: {
    meaning:
      'The amount is not a whole number above 0 in the smallest unit of the currency, or the buyer paid nothing for the units ' +
      'to refund.',
    message: '`amount` must be a whole number above 0, in the smallest unit such as cents, or { amount, currency }.',
  },
  invalid_credentials: {
    meaning: 'The email address, the password or the code is wrong; the response does not say which.',
    message: 'Incorrect email or password.',
  },
  invalid_discount: {
    meaning: 'The discount code does not exist or is not valid for this cart; `detail.reason` gives the reason.',
    message: 'This discount code does not exist. Please check its spelling.',
    detail: { reason: 'unknown' },
  },
  invalid_email: {
    meaning: 'The email address is not valid.',
    message: 'This is not a valid email address. Please check it for typing errors.',
  },
  invalid_kind: {
    meaning: 'The library has no entries of this kind; `detail.kinds` lists the kinds it has.',
    message: 'The library has no items of this kind.',
    detail: { kinds: ['attributes', 'features', 'assurances'] },
  },
  invalid_shipping_method: {
    meaning: 'The shop has no shipping method with this id; `detail.known` lists the ids it has.',
    message: 'Please choose one of the shipping methods.',
    detail: { known: ['standard', 'express'] },
  },
  invalid_status: {
    meaning: 'An order cannot have this status; `detail.allowed` lists the valid ones.',
    message: '`status` must be one of placed, paid, fulfilled, delivered, cancelled, not "lost".',
    detail: { allowed: ['placed', 'paid', 'fulfilled', 'delivered', 'cancelled'] },
  },
  invalid_token: {
    meaning: 'The link was used, has expired, or was never sent; the response does not say which.',
    message: 'This link no longer works. Please request a new one.',
  },
  invalid_transition: {
    meaning: 'The current status cannot change to this one; `detail.allowed` lists the possible ones.',
    message: 'An order that is cancelled cannot become paid.',
    detail: { from: 'cancelled', to: 'paid', allowed: [] },
  },
  line_not_found: {
    meaning: 'The cart, or the order, has no line with this id.',
    message: 'This item is no longer in your cart.',
  },
  method_not_allowed: {
    meaning: 'The path does not support this method; the header `Allow` lists the supported ones.',
    message: 'This method is not allowed here.',
  },
  missing_credentials: {
    meaning: 'The email address, the password or the code from the authenticator app is missing.',
    message: 'Please enter your email address and your password.',
  },
  missing_fields: {
    meaning: 'Required fields are missing; `detail.fields` names them.',
    message: 'Please complete the delivery address.',
    detail: { fields: ['line1', 'city'] },
  },
  missing_to: {
    meaning: 'The test mail has no recipient.',
    message: 'Please send a recipient for the test mail as `to`: a secret key has no email address.',
  },
  not_found: {
    meaning: 'It does not exist, or the caller is not allowed to see it.',
    message: 'This product does not exist.',
  },
  notifications_disabled: {
    meaning: 'Mails of this kind are switched off, or the shop has no mail server; `detail.reason` says which.',
    message: 'This mail is switched off in the settings of the shop.',
    detail: { reason: 'notifications.shipped is off' },
  },
  out_of_stock: {
    meaning: 'The item is sold out. At a checkout `detail.lines` lists every line that cannot be delivered in full.',
    message: 'Only 1 left of Linen Shirt, White, M.',
    detail: {
      lines: [
        {
          lineId: 'line_00000000000000000000000000000001',
          variantId: 'var_00000000000000000000000000000001',
          title: 'Linen Shirt',
          options: { Color: 'White', Size: 'M' },
          wanted: 2,
          available: 1,
        },
      ],
    },
  },
  payload_too_large: {
    meaning:
      'The body is larger than this operation accepts: 1 MiB; imports, collections and pictures have other limits (docs/contract.md).',
    message: 'The request is too large.',
  },
  payment_failed: {
    meaning: 'The payment provider declined the payment. The cart is unchanged.',
    message: 'The payment did not go through. Please try again or use another payment method.',
  },
  payment_not_captured: {
    meaning: 'The payment has not arrived yet, so there is nothing to place or to refund.',
    message: 'Your payment has not arrived yet. Please wait a moment and try again.',
  },
  rate_limited: {
    meaning: 'Too many requests. Retry after the number of seconds in `Retry-After`.',
    message: 'Too many attempts. Try again in 40 seconds.',
  },
  read_only_field: {
    meaning:
      'A field that cannot be set here has another value than the shop has; `detail.path` names it and `detail.current` is its value.',
    message: 'The field `rating` is read-only and cannot be changed here.',
    detail: { path: 'rating', current: { average: 4.5, count: 12 } },
  },
  second_factor_required: {
    meaning: 'The password is correct, and this user also needs a code from an authenticator app: send both.',
    message: 'Please also enter the code from your authenticator app.',
  },
  send_failed: {
    meaning: 'The mail server did not accept the mail, or could not be reached; `detail.answer` says why.',
    message: 'The mail could not be delivered to the mail server.',
    detail: { answer: '550 5.1.1 mailbox unavailable' },
  },
  service_unavailable: {
    meaning: 'A part of the shop is unavailable or overloaded. Retry after the number of seconds in `Retry-After`.',
    message: 'This is not available right now. Please try again in a moment.',
  },
  sku_taken: {
    meaning: 'Another variant has this SKU.',
    message: 'Another variant already has this SKU.',
    detail: { sku: 'LINEN-SHIRT-WHITE-M' },
  },
  slug_taken: {
    meaning: 'Another product has this slug.',
    message: 'Another product already has this slug.',
    detail: { slug: 'linen-shirt' },
  },
  unauthenticated: {
    meaning: 'The request needs a token, and has none, or one that has expired or was revoked. Sign in.',
    message: 'Please sign in to continue.',
  },
  undeliverable_country: {
    meaning: 'The shop does not ship to this country.',
    message: 'We do not ship to this country yet.',
    detail: { country: 'AQ' },
  },
  unknown_credential: {
    meaning: 'The shop has no credentials with the keys that `detail.keys` lists.',
    message: 'Unknown credential `stripeKey`. Allowed are razorpayKeySecret, stripeSecretKey.',
    detail: { keys: ['razorpaySecret'] },
  },
  unknown_field: {
    meaning:
      'The operation has no field or parameter of this name, and nothing was changed; `detail.fields` lists each with the nearest valid name.',
    message: 'Unknown field `startsOn`. Did you mean `startsAt`?',
    detail: {
      fields: [{ path: 'startsOn', nearest: 'startsAt' }],
      ...issues('startsOn', 'Unknown field `startsOn`. Did you mean `startsAt`?'),
    },
  },
  unknown_parent: {
    meaning: 'The parent category does not exist.',
    message: 'The parent category does not exist.',
    detail: { parent: 'shirts' },
  },
  unsupported_media_type: {
    meaning: 'The operation does not accept this content type; `detail.accepted` lists the accepted ones.',
    message: 'This content type is not supported.',
    detail: { accepted: ['application/json'] },
  },
  uri_too_long: {
    meaning:
      'The URL is longer than 128 KiB, its path is longer than 8000 characters, one of its path segments is longer than its ' +
      'parameter may be, or it has more than 1000 parameters.',
    message: 'The URL is too long.',
  },
  validation_failed: {
    meaning: 'The request has the wrong shape; `detail.issues` names each field and what it must be.',
    message: 'Something in this request is missing or not valid.',
    detail: issues('quantity', 'must be at most 999'),
  },
  variant_exists: {
    meaning: 'Another variant of the product has the same id or options; `detail.variant` names it.',
    message: 'This product already has a variant with these options: LINEN-SHIRT-WHITE-M.',
    detail: {
      variant: {
        id: 'var_00000000000000000000000000000001',
        sku: 'LINEN-SHIRT-WHITE-M',
        options: { Color: 'White', Size: 'M' },
      },
    },
  },
  variant_not_found: {
    meaning: 'The variant does not exist, or its product is not published.',
    message: 'This item is no longer available.',
  },
  variants_missing: {
    meaning:
      'Variants with stock or reservations were omitted; `detail.variants` lists them. Include them, or remove them with `If-Match` and the ETag of the product.',
    message:
      'This would remove variants that have stock: LINEN-SHIRT-WHITE-M (4 in stock). Keep them, set their stock to 0 first, or send the ETag of the product as If-Match.',
    detail: {
      variants: [
        {
          id: 'var_00000000000000000000000000000001',
          sku: 'LINEN-SHIRT-WHITE-M',
          options: { Color: 'White', Size: 'M' },
          onHand: 4,
          reserved: 0,
        },
      ],
      total: 1,
    },
  },
  weak_password: {
    meaning: 'The password is too short or too long; `detail` has the limits.',
    message: 'Choose a password with at least 8 characters.',
    detail: { min: 8, max: 200 },
  },
}
