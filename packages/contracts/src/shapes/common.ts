import { z } from 'zod'

/** ISO 8601, UTC, milliseconds. */
export const Timestamp = z.iso.datetime({ precision: 3 })

export const Slug = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'must be lower-case letters, digits and single hyphens')

/** The body of every unsuccessful response (docs/contract.md). */
export const ErrorBody = z
  .object({ message: z.string(), code: z.string(), requestId: z.string(), detail: z.unknown().optional() })
  .meta({ id: 'Error' })
export type ErrorBody = z.output<typeof ErrorBody>

export const Picture = z.object({
  url: z.string().describe('Address of the picture; an address that begins with `/` is a path on this server.'),
  alt: z.string().describe('What the picture shows, as alternative text.'),
})
export type Picture = z.output<typeof Picture>

/** As CSS places a picture in a frame of another shape: `object-position: 30% 70%` for 0.3 and 0.7. */
export const FocalPoint = z
  .object({
    x: z.number().min(0).max(1).describe('Share of the width, from the left edge.'),
    y: z.number().min(0).max(1).describe('Share of the height, from the upper edge.'),
  })
  .meta({ id: 'FocalPoint' })
export type FocalPoint = z.output<typeof FocalPoint>

/** `{ items, total }`: no route returns a top-level array. */
export function listOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    items: z.array(item).describe('One page of the list, or all of it if the list has no pages.'),
    total: z.int().nonnegative().describe('Number of all entries, including those that are not in `items`.'),
  })
}

/** A whole number from a query string, of any length. A number out of range is clamped; anything else is an error. */
export function clampedInteger(options: { default: number; min: number; max: number }) {
  return z
    .string()
    .regex(/^-?\d+$/, 'must be an integer')
    .meta({ type: 'integer' })
    .transform((text) => Math.min(options.max, Math.max(options.min, Number(text))))
    .optional()
    .transform((value) => value ?? options.default)
}

export const Ok = z.object({
  ok: z.literal(true).describe('Always true; a failure has another status and the body of an error.'),
})
