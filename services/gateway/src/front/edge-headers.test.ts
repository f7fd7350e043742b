import { describe, expect, test } from 'vitest'
import { edgeHeaders } from './edge-headers.ts'

const policyOf = (path: string) => edgeHeaders([]).for(path, undefined, false).record['content-security-policy']

describe('the content policy', () => {
  test.each([
    '/newsletter/confirm',
    '/newsletter/unsubscribe',
    '/auth/email/verify',
    '/auth/password/reset',
    '/payments/done',
  ])('lets the page at %s run its own script, speak to the shop, and nothing else', (path) => {
    expect(policyOf(path)).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    )
  })

  test.each(['/', '/newsletter', '/newsletter/confirm/', '/auth/email/change', '/auth/password', '/auth/pages.js'])(
    'lets nothing run at %s',
    (path) => {
      expect(policyOf(path)).toBe("default-src 'none'; frame-ancestors 'none'")
    },
  )

  test('of pictures and of the documentation is their own', () => {
    expect(policyOf('/media/a.svg')).toContain('sandbox')
    expect(policyOf('/docs')).toContain("script-src 'self'")
  })
})
