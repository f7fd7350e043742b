/**
 * Every code a client can meet, with its HTTP status. The specification's table "Codes the client knows"
 * comes first, then section 2 of the decisions.
 */
export const ERROR_STATUS = {
  not_found: 404,
  variant_not_found: 404,
  out_of_stock: 409,
  insufficient_inventory: 409,
  invalid_discount: 422,
  empty_cart: 422,
  unauthenticated: 401,
  invalid_credentials: 401,
  missing_credentials: 422,
  invalid_email: 422,
  invalid_kind: 422,

  bad_json: 400,
  validation_failed: 422,
  forbidden: 403,
  cart_not_found: 404,
  line_not_found: 404,
  slug_taken: 409,
  sku_taken: 409,
  email_taken: 409,
  code_taken: 409,
  conflict: 409,
  invalid_transition: 409,
  already_refunded: 409,
  idempotency_mismatch: 409,
  notifications_disabled: 409,
  email_required: 422,
  weak_password: 422,
  missing_fields: 422,
  missing_to: 422,
  currency_mismatch: 422,
  invalid_shipping_method: 422,
  undeliverable_country: 422,
  invalid_amount: 422,
  amount_too_large: 422,
  invalid_status: 422,
  unknown_credential: 422,
  unknown_parent: 422,
  category_cycle: 422,
  bad_signature: 400,
  bad_request: 400,
  payment_not_captured: 402,
  payment_failed: 402,
  payload_too_large: 413,
  uri_too_long: 414,
  unsupported_media_type: 415,
  method_not_allowed: 405,
  rate_limited: 429,
  internal_error: 500,
  send_failed: 502,
  bad_gateway: 502,
  service_unavailable: 503,
  gateway_timeout: 504,
} as const
export type ErrorCode = keyof typeof ERROR_STATUS

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_STATUS, code)
}
