// Two hundred saves: `npm test` does less of it.
await import('./save-and-reload.test.ts')
