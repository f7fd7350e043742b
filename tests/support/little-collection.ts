/** Variables for the compiler and the linter: what they hold is small, and to collect it is a third of their time. */
export const LITTLE_COLLECTION = { GOGC: 'off', GOMEMLIMIT: '1GiB' }
