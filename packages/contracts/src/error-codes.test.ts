import { describe, expect, test } from 'vitest'
import { ERROR_STATUS, isErrorCode } from './error-codes.ts'

/** The codes that clients rely on, with their statuses (docs/contract.md). */
const DECIDED: Record<number, string[]> = {
  400: ['bad_json', 'bad_signature'],
  401: ['unauthenticated', 'invalid_credentials'],
  402: ['payment_not_captured', 'payment_failed'],
  403: ['forbidden'],
  404: ['not_found', 'variant_not_found', 'cart_not_found', 'line_not_found'],
  405: ['method_not_allowed'],
  409: [
    'out_of_stock',
    'insufficient_inventory',
    'slug_taken',
    'sku_taken',
    'email_taken',
    'conflict',
    'invalid_transition',
    'already_refunded',
    'idempotency_mismatch',
    'notifications_disabled',
  ],
  413: ['payload_too_large'],
  415: ['unsupported_media_type'],
  422: [
    'invalid_discount',
    'empty_cart',
    'missing_credentials',
    'invalid_email',
    'invalid_kind',
    'validation_failed',
    'email_required',
    'weak_password',
    'missing_fields',
    'missing_to',
    'currency_mismatch',
    'invalid_shipping_method',
    'undeliverable_country',
    'invalid_amount',
    'amount_too_large',
    'invalid_status',
    'unknown_credential',
    'unknown_parent',
    'category_cycle',
  ],
  429: ['rate_limited'],
  500: ['internal_error'],
  502: ['bad_gateway', 'send_failed'],
  503: ['service_unavailable'],
  504: ['gateway_timeout'],
}

describe('an error code', () => {
  test.each(Object.entries(DECIDED))('has the status %s that the contract defines', (status, codes) => {
    const statuses = new Map<string, number>(Object.entries(ERROR_STATUS))
    expect(codes.map((code) => [code, statuses.get(code)])).toEqual(codes.map((code) => [code, Number(status)]))
  })

  test('is written in one way, so that two codes never differ by spelling alone', () => {
    const codes = Object.keys(ERROR_STATUS)
    for (const code of codes) expect(code).toMatch(/^[a-z]+(?:_[a-z]+)*$/)
    expect(new Set(codes.map((code) => code.replaceAll('_', ''))).size).toBe(codes.length)
  })

  test('always has the status of an error', () => {
    for (const status of Object.values(ERROR_STATUS)) {
      expect(status).toBeGreaterThanOrEqual(400)
      expect(status).toBeLessThan(600)
    }
  })

  test("is distinguished from the name of an object's built-in property", () => {
    expect(isErrorCode('out_of_stock')).toBe(true)
    for (const word of ['toString', 'constructor', '__proto__', '', 'OUT_OF_STOCK'])
      expect(isErrorCode(word)).toBe(false)
  })
})
