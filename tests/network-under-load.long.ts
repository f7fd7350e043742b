// Network faults in the middle of 200 checkouts: `npm test` does less of it.
await import('./network-under-load.test.ts')
