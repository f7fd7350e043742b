import { readFileSync } from 'node:fs'
import type { z } from 'zod'

/** @returns the content of a JSON file; undefined when there is none, or it is damaged or may not be read */
export function readJson<Schema extends z.ZodType>(path: string, schema: Schema): z.output<Schema> | undefined {
  try {
    return schema.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return undefined
  }
}
