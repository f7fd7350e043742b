/**
 * Selects the number of repetitions or cases of a test. `npm test` runs a few of each in minutes; `npm run test:long`
 * runs the same tests with all of them (vitest.long.config.ts).
 */
export function amount<Value>({ quick, long }: { quick: Value; long: Value }): Value {
  return process.env['TEST_AMOUNT'] === 'long' ? long : quick
}
