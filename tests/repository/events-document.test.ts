import { describe, expect, test } from 'vitest'
import { deadLetterStream, deadLetterSubject, EVENTS, eventsStream, eventSubject } from '@storefront/contracts'
import { readText } from './source-files.ts'

const text = readText('docs/events.md')
const rows = text
  .split('\n')
  .filter((line) => line.startsWith('| [`'))
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| |\|$/g, '').trim()))

describe('docs/events.md', () => {
  test('names every event with its schema, its publisher and its consumers, in the order of the contracts', () => {
    expect(rows.map(([event, from, consumers]) => ({ event, from, consumers }))).toEqual(
      EVENTS.map(({ name, from, consumers }) => ({
        event: `[\`${name}\`](../packages/contracts/event-schemas/${name}.json)`,
        from,
        consumers: consumers.join(', '),
      })),
    )
  })

  test('describes when each is published, and shows an example', () => {
    expect(rows.filter(([, , , when = '', example = '']) => when.length < 10 || !/^`\{.*\}`/.test(example))).toEqual([])
  })

  test('names streams and subjects as the contracts define them', () => {
    // The names, with placeholders for the parts that differ, as the document has them.
    const word = 'ns'
    const [event] = EVENTS
    const name = event?.name ?? ''
    const from = event?.from ?? 'catalog'
    const generic = (subject: string) =>
      subject.replace(`.${from}.`, '.<service>.').replace(name, '<name>').replace(/^ns/, '<ns>')
    for (const expected of [
      eventsStream(word),
      deadLetterStream(word),
      eventSubject(word, { name, from }),
      deadLetterSubject(word, from, name),
    ]) {
      expect(text).toContain(`\`${generic(expected)}\``)
    }
  })
})
