import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

const Reply = z.discriminatedUnion('ok', [
  z.object({ id: z.int(), ok: z.literal(true), reply: z.unknown() }),
  z.object({ id: z.int(), ok: z.literal(false), error: z.string() }),
])
const Request = z.object({ id: z.int(), request: z.unknown() })

/** A process of the bench with its own CPU time. */
export interface HelperProcess {
  pid: number | undefined
  /** @throws Error with the helper's output when it failed */
  request<Reply>(request: object, reply: z.ZodType<Reply>): Promise<Reply>
  stop(): Promise<void>
}

/** Starts `module` of this folder as a process that replies to requests with `replyToRequests`. */
export function startHelperProcess(module: string, environment: Record<string, string>): HelperProcess {
  const child = fork(fileURLToPath(new URL(module, import.meta.url)), { env: { ...process.env, ...environment } })
  const pending = new Map<number, { resolve: (reply: unknown) => void; reject: (error: Error) => void }>()
  let sent = 0
  child.on('message', (message) => {
    const reply = Reply.parse(message)
    const waiting = pending.get(reply.id)
    pending.delete(reply.id)
    if (reply.ok) waiting?.resolve(reply.reply)
    else waiting?.reject(new Error(`${module}: ${reply.error}`))
  })
  child.on('exit', (code) => {
    for (const { reject } of pending.values()) reject(new Error(`${module} ended with ${code}`))
    pending.clear()
  })
  return {
    pid: child.pid,
    async request(request, reply) {
      const id = ++sent
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      pending.set(id, { resolve, reject })
      child.send({ id, request })
      return reply.parse(await promise)
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exited = once(child, 'exit')
      child.kill()
      await exited
    },
  }
}

/** The other end: replies to the process that started this one. */
export function replyToRequests<RequestBody>(
  shape: z.ZodType<RequestBody>,
  respond: (sent: RequestBody) => Promise<object>,
): void {
  process.on('message', (message) => {
    const { id, request } = Request.parse(message)
    Promise.resolve()
      .then(() => respond(shape.parse(request)))
      .then(
        (reply) => process.send?.({ id, ok: true, reply }),
        (error: unknown) => process.send?.({ id, ok: false, error: String(error) }),
      )
  })
  // The parent process has ended.
  process.on('disconnect', () => process.exit())
}
