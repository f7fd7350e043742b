import type { FastifyRequest, HookHandlerDoneFunction } from 'fastify'
import { z } from 'zod'
import { LIBRARY_KINDS, LibraryKind } from '@storefront/contracts'
import { invalidKind } from '../errors.ts'

/** A kind of library item in a path. */
export const KindParams = z.object({ kind: LibraryKind.describe('Anything else is 422 `invalid_kind`.') })

/** Rejects an unknown kind before the body is read, so that the response is the same for any body. */
export function checkKind(request: FastifyRequest, _reply: unknown, done: HookHandlerDoneFunction): void {
  done(KindParams.safeParse(request.params).success ? undefined : invalidKind(LIBRARY_KINDS))
}
