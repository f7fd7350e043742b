import { z } from 'zod'
import { StartError } from '../start-error.ts'

/** One line of CHANGES.md: a shape of an event or webhook, or its withdrawal. */
export interface PublishedShape {
  date: string
  event: string
  /** Hash of the schema; undefined when the event was withdrawn. */
  digest: string | undefined
  note: string
}

const HEAD = `# Published shapes

Every shape of each schema in this folder, oldest first, with the digest of the schema. \`npm run event-schemas\` writes these lines.
A test fails when the digest of a schema is not the one in its last line, because the file was then changed by hand.

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
