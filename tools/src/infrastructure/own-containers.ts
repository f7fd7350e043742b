import { waitUntil, within } from './wait-until.ts'

/** A container that this process has begun to start, and not removed yet. */
interface OwnContainer {
  readonly name: string
  /** Removes it, running or not. Resolves when the engine has no such container. */
  remove(): Promise<void>
}

/** Without code for Docker, whose loading takes half a second that most starts do not need. */
export const ownContainers = new Set<OwnContainer>()

/**
 * Removes all containers of this process at once: unlike processes, they would run on without it.
 * @returns the names of those that the engine did not remove in time
 */
export async function removeOwnContainers(timeoutMs = 5_000): Promise<string[]> {
  await Promise.allSettled(
    [...ownContainers].map((each) => within(removeInTime(each, timeoutMs), timeoutMs, 'removing a container')),
  )
  return [...ownContainers].map(({ name }) => name)
}

/** Tries again, because a removal by an orderly stop at the same moment is an error until it is done. */
async function removeInTime(container: OwnContainer, timeoutMs: number): Promise<void> {
  const isGone = (): Promise<boolean> =>
    container.remove().then(
      () => true,
      () => false,
    )
  if (await waitUntil(isGone, { timeoutMs, everyMs: 100 })) ownContainers.delete(container)
}
