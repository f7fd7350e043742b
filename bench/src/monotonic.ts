/** Milliseconds of a clock that all processes of this machine share and that is never adjusted. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6
}
