import type { ErrorCode } from '@storefront/contracts'

interface ErrorDescription {
  /** When the shop replies with it, and what the caller can do. */
  meaning: string
  /** Of an example: one sentence for the person who uses the storefront. */
  message: string
  /** Of an example, where this code has any. */
  detail?: Record<string, unknown>
}

const issues = (path: string, message: string) => ({ issues: [{ path, message }] })

/** What the API reference says of every error code. */
export const ERROR_DESCRIPTIONS: Record<ErrorCode, ErrorDescription> = {
  already_refunded: {
    meaning: 'Nothing of the order is left to refund.',
    message: 'This order is already fully refunded.',
  },
  amount_too_large: {
    meaning: 'The amount is more than is left to refund; `detail.left` is the rest in minor units.',
    message: '`amount` is more than what is left to refund of this order.',
    detail: { left: 4000 },
  },
  bad_gateway: {
    meaning:
      'A service of the shop, or the payment provider, replied with something that cannot be used. Nothing was charged.',
    message: 'Something went wrong on our side. Please try again.',
  },
  bad_json: {
    meaning: 'The body is not JSON.',
    message: 'The request could not be read.',
    detail: { reason: 'the body is not JSON' },
  },
  bad_request: {
    meaning:
      'The request is not HTTP, or did not arrive in full. The status is 408 where a body came too slowly, and 431 where the headers are too large.',
    message: 'The request could not be understood.',
  },
  bad_signature: {
    meaning: 'The signature does not belong to this content: it was not made with the secret of this shop.',
    message: 'This message does not come from the sender that it names.',
  },
  cart_not_found: {
    meaning: 'The cart does not exist, has expired, or belongs to another customer. Begin a new one.',
    message: 'This cart no longer exists.',
  },
  category_cycle: {
    meaning: 'The category would stand below itself.',
    message: 'A category cannot stand below itself or below one of its own categories.',
  },
  conflict: {
    meaning: 'Something changed meanwhile, or is in a state that does not allow this. Read it again, and decide.',
    message: 'This has changed meanwhile. Please look at it again.',
  },
  currency_mismatch: {
    meaning: 'An amount is in another currency than that of the shop.',
    message: 'This shop sells in USD.',
    detail: { asked: 'EUR', currency: 'USD' },
  },
  email_required: {
    meaning: 'The email address of the buyer is missing.',
    message: 'Please enter your email address.',
  },
  email_taken: {
    meaning: 'An account with this email address exists.',
    message: 'There is already an account with this email address. Please sign in instead.',
  },
  empty_cart: {
    meaning: 'The cart has no line that can be bought.',
    message: 'Your cart is empty.',
  },
  forbidden: {
    meaning: 'The caller is known and does not have the right; `detail.permission` names the one that is missing.',
    message: 'You are not allowed to do this.',
    detail: { permission: 'orders:write' },
  },
  gateway_timeout: {
    meaning:
      'A service of the shop did not reply in time. Whether a write happened is unknown: repeat it with the same `Idempotency-Key`.',
    message: 'This is taking longer than it should. Please try again.',
  },
  idempotency_mismatch: {
    meaning: 'This `Idempotency-Key` came before with another request. Use a new key for a new request.',
    message: 'This request came before with other details. Please start again.',
  },
  insufficient_inventory: {
    meaning: 'Fewer are left than wanted; `detail.available` says how many.',
    message: 'Only 3 left in that size.',
    detail: { available: 3 },
  },
  internal_error: {
    meaning: 'A fault of the shop. Quote `requestId` to its operator.',
    message: 'Something went wrong on our side. Please try again.',
  },
  invalid_amount: {
    meaning: 'The amount is not a whole number above 0 of the smallest unit of the currency.',
    message: 'An amount to refund is a whole number of the smallest unit, such as cents, and above 0.',
  },
  invalid_credentials: {
    meaning: 'The email address, the password or the code is wrong; the reply does not say which.',
    message: 'Incorrect email or password.',
  },
  invalid_discount: {
    meaning: 'The discount code does not exist or is not valid for this cart; `detail.reason` says why.',
    message: 'This code is not valid.',
    detail: { reason: 'unknown' },
  },
  invalid_email: {
    meaning: 'The email address cannot exist.',
    message: 'This does not look like an email address. Please check it.',
  },
  invalid_kind: {
    meaning: 'The library does not have entries of this kind; `detail.kinds` lists those that it has.',
    message: 'The library has no entries of this kind.',
    detail: { kinds: ['attributes', 'features', 'assurances'] },
  },
  invalid_shipping_method: {
    meaning: 'The shop has no shipping method with this id; `detail.known` lists those that it has.',
    message: 'Please choose one of the ways we ship.',
    detail: { known: ['standard', 'express'] },
  },
  invalid_status: {
    meaning: 'An order cannot have this status; `detail.allowed` lists those that it can have.',
    message: 'There is no such status of an order.',
    detail: { allowed: ['placed', 'paid', 'fulfilled', 'delivered', 'cancelled'] },
  },
  invalid_token: {
    meaning: 'The link of a mail was used, has expired, or was never sent; the reply does not say which.',
    message: 'This link no longer works. Please request a new one.',
  },
  invalid_transition: {
    meaning: 'From its present status this cannot become that; `detail.allowed` lists what it can become.',
    message: 'An order that is cancelled cannot become paid.',
    detail: { from: 'cancelled', to: 'paid', allowed: [] },
  },
  line_not_found: {
    meaning: 'The cart has no line with this id.',
    message: 'This item is no longer in your cart.',
  },
  method_not_allowed: {
    meaning: 'The address exists and does not take this method; the header `Allow` lists those that it takes.',
    message: 'This cannot be done here.',
  },
  missing_credentials: {
    meaning: 'The email address, the password or the code of the authenticator app is missing.',
    message: 'Please enter your email address and your password.',
  },
  missing_fields: {
    meaning: 'Something that is needed here was left out; `detail.fields` names it.',
    message: 'Please complete the delivery address.',
    detail: { fields: ['line1', 'city'] },
  },
  missing_to: {
    meaning: 'The test mail has no recipient.',
    message: 'Please enter the address to which the test mail should go.',
  },
  not_found: {
    meaning: 'It does not exist, or is not for this caller to see.',
    message: 'We could not find this.',
  },
  notifications_disabled: {
    meaning: 'Mails of this kind are switched off, or the shop has no mail server; `detail.reason` says which.',
    message: 'This mail is switched off in the settings of the shop.',
    detail: { reason: 'notifications.shipped is off' },
  },
  out_of_stock: {
    meaning: 'None is left. At a checkout `detail.lines` lists every line that cannot be delivered in full.',
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
    meaning: 'The body is larger than this operation takes: 1 MiB where its description says nothing else.',
    message: 'This is too large.',
  },
  payment_failed: {
    meaning: 'The payment provider declined the payment. The cart is as it was.',
    message: 'The payment did not go through. Please try again or use another payment method.',
  },
  payment_not_captured: {
    meaning: 'The money has not arrived, so there is nothing to place or to refund yet.',
    message: 'Your payment has not arrived yet. Please wait a moment and try again.',
  },
  rate_limited: {
    meaning: 'Too many requests. `Retry-After` says after how many seconds to come back.',
    message: 'Too many attempts. Try again in 40 seconds.',
  },
  read_only_field: {
    meaning:
      'A field that cannot be set here has another value than the shop has; `detail.path` names it and `detail.current` is its value.',
    message: 'The field `rating` cannot be set here.',
    detail: { path: 'rating', current: { average: 4.5, count: 12 } },
  },
  second_factor_required: {
    meaning: 'The password is right, and this user also needs a code of an authenticator app: send both.',
    message: 'Please enter the code from your authenticator app as well.',
  },
  send_failed: {
    meaning: 'The mail server did not take the mail; `detail.answer` is what it said.',
    message: 'The mail server did not take the mail.',
    detail: { answer: '550 5.1.1 mailbox unavailable' },
  },
  service_unavailable: {
    meaning:
      'A part of the shop is away or has too much to do. `Retry-After` says after how many seconds to come back.',
    message: 'This is not available at the moment. Please try again.',
  },
  sku_taken: {
    meaning: 'Another variant has this SKU.',
    message: 'Another product has this SKU already.',
    detail: { sku: 'LINEN-SHIRT-WHITE-M' },
  },
  slug_taken: {
    meaning: 'Another product has this slug.',
    message: 'Another product has this address already.',
    detail: { slug: 'linen-shirt' },
  },
  unauthenticated: {
    meaning: 'A token is needed, and there is none, or it has expired or was revoked. Sign in.',
    message: 'Please sign in to continue.',
  },
  undeliverable_country: {
    meaning: 'The shop does not ship to this country.',
    message: 'We do not ship to this country yet.',
    detail: { country: 'AQ' },
  },
  unknown_credential: {
    meaning: 'The shop does not use credentials with these keys, which `detail.keys` lists.',
    message: 'The shop does not use a credential with this name.',
    detail: { keys: ['razorpaySecret'] },
  },
  unknown_field: {
    meaning:
      'The operation has no field or parameter of this name, and nothing was done; `detail.fields` lists each with the nearest name that it has.',
    message: 'Unknown field `startsOn`. Did you mean `startsAt`?',
    detail: {
      fields: [{ path: 'startsOn', nearest: 'startsAt' }],
      ...issues('startsOn', 'Unknown field `startsOn`. Did you mean `startsAt`?'),
    },
  },
  unknown_parent: {
    meaning: 'The parent category does not exist.',
    message: 'The parent of this category does not exist.',
    detail: { parent: 'shirts' },
  },
  unsupported_media_type: {
    meaning: 'The operation does not read this content type; `detail.accepted` lists those that it reads.',
    message: 'This kind of content is not understood here.',
    detail: { accepted: ['application/json'] },
  },
  uri_too_long: {
    meaning: 'The address is longer than 128 KiB, or one of its parts is longer than its parameter may be.',
    message: 'The address is too long.',
  },
  validation_failed: {
    meaning: 'The request has the wrong shape; `detail.issues` names each field and what it must be.',
    message: 'Something in this request is missing or not as it should be.',
    detail: issues('quantity', 'Too big: expected number to be <=999'),
  },
  variant_exists: {
    meaning: 'Another variant of the product has the same options; `detail.variant` is that one.',
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
      'Variants with stock or reservations were left out; `detail.variants` lists them. Name them too, or remove them with `If-Match` and the tag of the product.',
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
    message: 'Please choose a password of 8 to 200 characters.',
    detail: { min: 8, max: 200 },
  },
}
