import { createHash } from 'node:crypto'
import { createServer, type Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const RETRY_MS = 200

/**
 * Runs `work` while no other process of this machine runs work under the same name (Linux only). The kernel releases
 * the lock when the process that holds it ends, even when it is killed.
 * @param options.longestWaitMs then the work runs without the lock, because any local user can hold a name forever
 * @returns what the work returns
 * @throws what the work throws, or the reason of the signal when it aborts the wait
 */
export async function withSystemLock<Result>(
  name: string,
  options: { longestWaitMs: number; signal?: AbortSignal },
  work: () => Promise<Result>,
): Promise<Result> {
  const lock = await takeLock(name, options)
  try {
    return await work()
  } finally {
    lock?.close()
  }
}

async function takeLock(
  name: string,
  { longestWaitMs, signal }: { longestWaitMs: number; signal?: AbortSignal },
): Promise<Server | undefined> {
  const path = `\0storefront-${createHash('sha256').update(name).digest('hex')}`
  const deadline = performance.now() + longestWaitMs
  for (;;) {
    signal?.throwIfAborted()
    const lock = await listenOn(path)
    if (lock !== undefined || performance.now() >= deadline) return lock
    await sleep(RETRY_MS, undefined, signal && { signal }).catch(() => {}) // An abort is thrown above.
  }
}

/** A name in the abstract namespace of Unix sockets has one listener at a time and leaves no file. */
function listenOn(path: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy())
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(undefined)
      else reject(error)
    })
    server.listen({ path, exclusive: true }, () => {
      server.unref()
      resolve(server)
    })
  })
}
