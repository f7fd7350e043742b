import { sendPublicJson, type App } from '@storefront/http'
import { Vocabulary } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { key } from '../listings/surrogate-keys.ts'
import { builtInVocabulary } from './built-in-vocabulary.ts'
import { findLibrary } from './library.queries.ts'
import { mergeVocabulary } from './merge-vocabulary.ts'

/** The vocabulary for highlights, specifications, features and assurances, with the store's own library. */
export function listAttributesRoute(app: App, { db }: { db: Database }): void {
  app.get('/attributes', {
    config: { access: 'public' },
    schema: {
      summary: 'The attribute vocabulary, with the store’s library',
      description:
        'Suggestions for highlights, specifications, features and assurances, not a schema: a product may store ' +
        'any key. The attributes of the store take precedence over built-in ones with the same key.',
      response: { 200: Vocabulary },
    },
    handler: async (_request, reply) => {
      const vocabulary = mergeVocabulary(builtInVocabulary, await findLibrary(db))
      return sendPublicJson(reply, JSON.stringify(vocabulary), [key.library])
    },
  })
}
