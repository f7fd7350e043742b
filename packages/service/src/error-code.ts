/** The code of an error of the system, of a library or of PostgreSQL, such as `ECONNREFUSED`. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
