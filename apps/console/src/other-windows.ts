import { BASE_PATH } from './page-settings.ts'

/** All windows of a browser send the same cookie: a sign-in in one of them changes the session of all. */
const channel = new BroadcastChannel(`console-session${BASE_PATH}`)

/** Reports to the other windows who has signed in in this one; undefined when the person has signed out. */
export function sessionChangedHere(userId: string | undefined): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- only a message to a window has a target
  channel.postMessage(userId)
}

/** Calls the listener when a person has signed in or out in another window. @returns a function that stops this */
export function whenSessionChangedElsewhere(listener: (userId: string | undefined) => void): () => void {
  const receive = ({ data }: MessageEvent<unknown>): void => listener(typeof data === 'string' ? data : undefined)
  channel.addEventListener('message', receive)
  return () => channel.removeEventListener('message', receive)
}
