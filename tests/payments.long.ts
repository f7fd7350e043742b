// A payment provider that is gone in the middle of 500 checkouts: `npm test` does less of it.
await import('./payments.test.ts')
