import type { Credentials } from '@storefront/chassis'
import type { Database } from '../database.ts'
import type { MailServer } from './mail-server.ts'
import { bindPassword } from './smtp-password.queries.ts'

/**
 * The password that a merchant handed over, for the host that gets it; undefined when there is none.
 * @throws PasswordWithheld when it was handed over for another host
 */
export type PasswordReader = (server: Pick<MailServer, 'host' | 'isOperators'>) => Promise<string | undefined>

/** Its words are for the merchant: they stand in the log of mails. */
export class PasswordWithheld extends Error {}

/**
 * A password belongs to the host that was in force when it was handed over: whoever may only write the settings must not
 * get it by naming a host of his own. The host is kept with the moment of the hand-over, so that it holds after a restart
 * and for every copy; a later hand-over, of the same password too, is for the host that is in force then.
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
          ? 'smtpPassword was handed over anew a moment ago: it is not here yet'
          : `smtpPassword was handed over for ${bound.host}: if ${host} is to get it, hand it over again`,
      )
    },
  }
}
