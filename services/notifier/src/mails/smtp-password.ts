import type { Credentials } from '@storefront/credentials'
import type { Database } from '../database.ts'
import type { MailServer } from './mail-server.ts'
import { bindPassword } from './smtp-password.queries.ts'

/**
 * The password that a merchant set, for the host that gets it; undefined when there is none.
 * @throws PasswordWithheld when it was set for another host
 */
type PasswordReader = (server: Pick<MailServer, 'host' | 'isOperators'>) => Promise<string | undefined>

/** The message is for the merchant: it is shown in the log of mails. */
export class PasswordWithheld extends Error {}

/**
 * A password belongs to the host that was configured when it was set: a user who may only write the settings must not
 * get it by configuring their own host. The host is stored with the time of the password, so that this holds after a
 * restart and for every replica; a password that is set later, even the same one, is for the host that is configured
 * then.
 */
export function smtpPassword({
  db,
  credentials,
}: {
  db: Database
  credentials: Pick<Credentials, 'get' | 'updatedAt'>
}): { passwordFor: PasswordReader; isBound: () => boolean } {
  let bound: { givenAt: Date; host: string } | undefined

  const isKnown = (givenAt: Date | undefined) => bound?.givenAt.getTime() === givenAt?.getTime()

  return {
    isBound: () => credentials.get('smtpPassword') === undefined || isKnown(credentials.updatedAt('smtpPassword')),
    async passwordFor(server) {
      const host = server.host.toLowerCase().replace(/\.$/, '')
      const password = credentials.get('smtpPassword')
      const givenAt = credentials.updatedAt('smtpPassword')
      if (password === undefined || givenAt === undefined) return undefined
      if (!bound || !isKnown(givenAt)) bound = await bindPassword(db, { givenAt, host })
      if (isKnown(givenAt) && bound.host === host) return password
      // The operator's server has a password of its own.
      if (server.isOperators) return undefined
      throw new PasswordWithheld(
        bound.givenAt > givenAt
          ? 'smtpPassword was set a moment ago, and this replica does not have it yet'
          : `smtpPassword was set for ${bound.host}: to use it with ${host}, set it again`,
      )
    },
  }
}
