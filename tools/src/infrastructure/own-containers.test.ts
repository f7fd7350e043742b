import { afterEach, expect, test, vi } from 'vitest'
import { ownContainers, removeOwnContainers } from './own-containers.ts'

/** There is no Docker engine on most machines that run the tests. */
function begin(name: string, remove: () => Promise<void>) {
  const container = { name, remove }
  ownContainers.add(container)
  return container
}

afterEach(() => ownContainers.clear())

test('an end at once removes the containers that this process began, and leaves those that were removed in order', async () => {
  const remove = vi.fn<() => Promise<void>>(async () => {})
  const removeStopped = vi.fn<() => Promise<void>>(async () => {})
  begin('postgres', remove)
  ownContainers.delete(begin('redis', removeStopped))
  expect(await removeOwnContainers()).toEqual([])
  expect(remove).toHaveBeenCalledOnce()
  expect(removeStopped).not.toHaveBeenCalled()
  expect(await removeOwnContainers()).toEqual([])
  expect(remove).toHaveBeenCalledOnce()
})

test('a container whose removal is in progress is awaited', async () => {
  const remove = vi.fn<() => Promise<void>>(async () => {})
  remove.mockRejectedValueOnce(new Error('removal of container nats is already in progress'))
  begin('nats', remove)
  expect(await removeOwnContainers()).toEqual([])
  expect(remove).toHaveBeenCalledTimes(2)
})

test('an engine that does not respond, or cannot remove a container, is not awaited for long, and the containers are named', async () => {
  const removed = vi.fn<() => Promise<void>>(async () => {})
  begin('postgres', () => new Promise(() => {}))
  begin('redis', async () => {
    throw new Error('permission denied')
  })
  begin('nats', removed)
  expect(await removeOwnContainers(50)).toEqual(['postgres', 'redis'])
  expect(removed).toHaveBeenCalledOnce()
})
