import { init } from 'i18next'
import { expect, test } from 'vitest'
import german from './de/fields.json' with { type: 'json' }
import english from './en/fields.json' with { type: 'json' }
import { fieldSentence } from './field-sentence.ts'

async function sentenceIn(lng: 'en' | 'de', message: string): Promise<string> {
  await init({ lng, resources: { en: { translation: english }, de: { translation: german } } })
  return fieldSentence(message)
}

test.each([
  ['en', 'Too big: expected number to be <=23', 'The number must be 23 or less.'],
  ['en', 'Too big: expected string to have <=20000 characters', 'Enter at most 20000 characters.'],
  ['en', 'Invalid input: expected record, received string', 'This value is not allowed here.'],
  ['en', 'must be at most 23', 'The number must be 23 or less.'],
  ['en', 'must have at most 20000 characters', 'Enter at most 20000 characters.'],
  ['en', 'must be an object, not a string', 'This value is not allowed here.'],
  ['en', 'must be a time zone such as Europe/Paris', 'Must be a time zone such as Europe/Paris.'],
  ['en', 'Unknown field `startsOn`. Did you mean `startsAt`?', 'Unknown field `startsOn`. Did you mean `startsAt`?'],
  ['de', 'Too big: expected number to be <=23', 'Hier ist höchstens 23 möglich.'],
  ['de', 'must be at most 23', 'Hier ist höchstens 23 möglich.'],
  ['de', 'must be a time zone such as Europe/Paris', 'Dieser Wert ist hier nicht möglich.'],
] as const)('what is wrong with a field is a sentence in %s: %s', async (language, message, sentence) => {
  expect(await sentenceIn(language, message)).toBe(sentence)
})
