import { AsyncLocalStorage } from 'node:async_hooks'

const storage = new AsyncLocalStorage<{ requestId: string }>()

/** The id of the request or event that the current code works for, to be passed on with its effects. */
export function currentRequestId(): string | undefined {
  return storage.getStore()?.requestId
}

/** Runs `work` on behalf of a request. */
export function withRequestId<Result>(requestId: string | undefined, work: () => Result): Result {
  return requestId === undefined ? work() : storage.run({ requestId }, work)
}

/** Ids from outside are used only when they cannot break a header, a log line or a table. */
export function isWellFormedRequestId(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z0-9._:-]{1,128}$/.test(value)
}
