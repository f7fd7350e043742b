/**
 * How much of one kind a test does. `npm test` takes minutes and tries a little of everything; `npm run test:long` runs the same
 * tests with all of it (vitest.long.config.ts).
 */
export function amount<Value>({ quick, long }: { quick: Value; long: Value }): Value {
  return process.env['TEST_AMOUNT'] === 'long' ? long : quick
}
