/**
 * Variables for programs in Go, such as the compiler, the linter and kubectl: here they hold little and end soon, and to
 * collect garbage is a third of their CPU time.
 */
export const LITTLE_COLLECTION = { GOGC: 'off', GOMEMLIMIT: '1GiB' }
