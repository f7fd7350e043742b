import { describe, expect, test } from 'vitest'
import { edgeHeaders } from './edge-headers.ts'

const NOTHING = "default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'"
const policyOf = (path: string) => edgeHeaders([]).for(path, undefined, false).record['content-security-policy']

describe('the content policy', () => {
  test.each([
    '/newsletter/confirm',
    '/newsletter/unsubscribe',
    '/auth/email/verify',
    '/auth/password/reset',
    '/payments/done',
  ])('lets the page at %s run its own script, call the shop, and nothing else', (path) => {
    expect(policyOf(path)).toBe(
      `${NOTHING}; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'none'`,
    )
  })

  test.each(['/', '/newsletter', '/newsletter/confirm/', '/auth/email/change', '/auth/password', '/auth/pages.js'])(
    'lets nothing run at %s',
    (path) => {
      expect(policyOf(path)).toBe(NOTHING)
    },
  )

  test('of images and of the documentation differs, but has the same directives as all others', () => {
    expect(policyOf('/media/a.svg')).toBe(`${NOTHING}; style-src 'unsafe-inline'; sandbox`)
    expect(policyOf('/docs')).toContain("script-src 'self'")
    expect(policyOf('/docs')).toContain(NOTHING)
  })
})
