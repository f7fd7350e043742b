import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ActivityKind } from '@storefront/contracts'
import { readText } from './source-files.ts'
import { Texts } from './texts.ts'

const texts = new Texts('apps/console/src')
/** As identity's sources have them. */
const kindOfAction = new Map(
  [...part('audit/audit-sentence.ts', 'KIND_OF_ACTION').matchAll(/(\w+): '([\w-]+)'/g)].map(
    ([, action = '', kind = '']): [string, string] => [action, kind],
  ),
)
const outcomes = part('audit/audit-entry.ts', 'const AuditOutcome').match(/(?<=')\w+(?=',)/g) ?? []

/** The source from a name to the end of its declaration. */
function part(path: string, name: string): string {
  const text = readText(`services/identity/src/${path}`)
  const start = text.indexOf(name)
  return text.slice(start, text.indexOf('\n\n', start))
}

const Sentences = z.object({ activitySentences: z.record(z.string(), z.record(z.string(), z.string())) })

describe.each(texts.languages.filter((language) => texts.has(language, 'activitySentences')))(
  'the language %s',
  (language) => {
    const sentences = Sentences.parse(texts.catalog(language, 'activitySentences')).activitySentences

    test('has sentences for each kind of record', () => {
      const { rejected: _rejected, outcome: _outcome, ...kinds } = sentences
      expect(Object.keys(kinds).toSorted()).toEqual(ActivityKind.options.toSorted())
    })

    test('has a sentence for each action of users and keys, and a reason for each rejection', () => {
      expect(kindOfAction.size).toBeGreaterThan(15)
      const missing = [...kindOfAction].filter(([action, kind]) => sentences[kind]?.[action] === undefined)
      expect(missing).toEqual([])
      const reasons = outcomes.filter((outcome) => outcome !== 'succeeded')
      expect(reasons).toContain('wrong_password')
      expect(Object.keys(sentences['outcome'] ?? {}).toSorted()).toEqual(reasons.toSorted())
      expect(Object.keys(sentences['rejected'] ?? {}).filter((action) => !kindOfAction.has(action))).toEqual([])
    })
  },
)
