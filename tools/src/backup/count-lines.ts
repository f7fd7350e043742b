import { Transform } from 'node:stream'

const LINE_END = 0x0a

/**
 * Passes all data through, and reports the number of line ends in each chunk. In PostgreSQL's text format each line is
 * a row.
 */
export function countLines(counted: (lines: number) => void): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let lines = 0
      for (let at = chunk.indexOf(LINE_END); at !== -1; at = chunk.indexOf(LINE_END, at + 1)) lines += 1
      counted(lines)
      done(null, chunk)
    },
  })
}
