// Outages in the middle of 500 checkouts: `npm test` does less of it.
await import('./outage-under-load.test.ts')
