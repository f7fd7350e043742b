/** What htmx passes with its event, as far as it is used here. */
interface RequestContext {
  request: { action: string }
  fetch?: (...request: Parameters<typeof fetch>) => Promise<Response>
}

let before: Promise<unknown> = Promise.resolve()

/**
 * Sends the changes of the bag one after the other: the reply to an older one, which arrived later, would show the bag
 * as it was before the newer one.
 */
export function changeBagInTurn(): void {
  document.addEventListener('htmx:config:request', ({ detail }: CustomEventInit<{ ctx: RequestContext }>) => {
    if (detail && /^\/(?:bag\/|cart\/contents)/.test(detail.ctx.request.action)) detail.ctx.fetch = fetchInTurn
  })
}

/** A request that a newer one of the same line replaces is aborted, and not sent when its turn comes. */
function fetchInTurn(...request: Parameters<typeof fetch>): Promise<Response> {
  const reply = before.then(() => fetch(...request))
  before = reply.then((response) => response.clone().text()).catch(() => undefined)
  return reply
}
