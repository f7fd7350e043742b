/**
 * Variables that switch off garbage collection in programs in Go, such as the compiler, the linter and kubectl: it
 * takes a third of their CPU time, and these runs need little memory and end soon.
 */
export const LITTLE_COLLECTION = { GOGC: 'off', GOMEMLIMIT: '1GiB' }
