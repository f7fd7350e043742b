import { z } from 'zod'
import { lastLines } from './infrastructure/log-file.ts'

const Line = z.object({
  level: z.enum(['error', 'fatal']),
  msg: z.string().optional(),
  err: z.object({ message: z.string() }).optional(),
})

/** @returns why a service ended, according to its log: the last error after `fromByte`, or else the last line */
export function lastError(logPath: string, fromByte: number): string | undefined {
  const lines = lastLines(logPath, 50, fromByte)
  const errors = lines.flatMap((line) => describe(line) ?? [])
  return (errors.at(-1) ?? plainReason(lines))?.slice(0, 300)
}

function describe(line: string): string | undefined {
  if (!line.startsWith('{')) return undefined
  try {
    const { msg, err } = Line.parse(JSON.parse(line))
    return [msg, err?.message].filter((part) => part !== undefined).join(': ')
  } catch {
    return undefined
  }
}

// "cart: configuration is not valid:", then a line for each fault; or the text that Node prints for an uncaught error.
function plainReason(lines: string[]): string | undefined {
  const plain = lines.filter((line) => !line.startsWith('{'))
  const uncaught = plain.findLast((line) => /^(\w*Error)\b.*:/.test(line))
  if (uncaught !== undefined) return uncaught
  const heading = plain.findLastIndex((line) => line.endsWith(':'))
  return heading === -1 ? lines.at(-1) : plain.slice(heading).join(' ')
}
