// Every hostile value at every place: `npm test` does less of it.
await import('./hostile-input.test.ts')
