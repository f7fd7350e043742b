/**
 * How much of one kind a test does. `npm test` takes minutes and tries a little of everything; `npm run test:long` runs the same
 * tests with much more of it, each from a file that ends with `.long.ts`.
 */
export function amount({ quick, long }: { quick: number; long: number }): number {
  return process.env['TEST_AMOUNT'] === 'long' ? long : quick
}
