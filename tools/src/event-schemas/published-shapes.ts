import { z } from 'zod'
import { StartError } from '../start-error.ts'

/** One line of CHANGES.md: a shape that was published, or that an event or webhook is no longer published. */
export interface PublishedShape {
  date: string
  event: string
  /** Of the schema; undefined when the event was withdrawn. */
  digest: string | undefined
  note: string
}

const HEAD = `# Published shapes

Every shape that each of these has had, oldest first, with the digest of its schema. \`npm run event-schemas\` writes these lines. A
schema here that is not the one of its last line was changed by hand, and a test says so.

`

const LINE = /^- (\d{4}-\d{2}-\d{2}) `([^`]+)` (?:`([0-9a-f]{16})`|withdrawn): (.+)$/
const Match = z.tuple([z.string(), z.string(), z.string(), z.string().optional(), z.string()])

/** @throws StartError when a line cannot be read */
export function readPublishedShapes(text: string): PublishedShape[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('- '))
    .map((line) => {
      const match = Match.safeParse([...(LINE.exec(line) ?? [])])
      if (!match.success) throw new StartError(`CHANGES.md has a line that cannot be read: ${line}`)
      const [, date, event, digest, note] = match.data
      return { date, event, digest, note }
    })
}

export function writePublishedShapes(shapes: readonly PublishedShape[]): string {
  const lines = shapes.map(
    ({ date, event, digest, note }) =>
      `- ${date} \`${event}\` ${digest === undefined ? 'withdrawn' : `\`${digest}\``}: ${note.replaceAll(/\s+/g, ' ')}\n`,
  )
  return `${HEAD}${lines.join('')}`
}

/** The last shape of an event; undefined when it was never published, or no longer is. */
export function lastDigest(shapes: readonly PublishedShape[], event: string): string | undefined {
  return shapes.findLast((shape) => shape.event === event)?.digest
}
