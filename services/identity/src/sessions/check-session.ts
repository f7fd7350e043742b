import { answer } from '@storefront/chassis'
import { CheckSession } from '@storefront/contracts'
import type { Dependencies } from '../app.ts'
import { isSessionActive } from './sessions.queries.ts'

/** For a gateway that cannot ask Redis: the table is what Redis is only a copy of. */
export function checkSessionAnswer({ db, messaging, verifyActor, clock, log }: Dependencies): void {
  answer({ messaging, verifyActor, log }, CheckSession, async ({ sessionId }) => ({
    active: await isSessionActive(db, sessionId, clock.now()),
  }))
}
