import { z } from 'zod'
import { singleLine } from '@storefront/contracts'

const MAX_TAGS = 20
export const MAX_TAG_LENGTH = 40

export const Tags = z
  .array(z.string().overwrite(singleLine).trim().min(1).max(MAX_TAG_LENGTH))
  .max(MAX_TAGS)
  .superRefine((tags, context) => {
    const keys = tags.map(tagKey)
    keys.forEach((key, index) => {
      if (keys.indexOf(key) < index)
        context.addIssue({
          code: 'custom',
          path: [index],
          message: 'must differ from the other tags in more than case',
        })
    })
  })

/** The form in which tags are compared. */
export function tagKey(tag: string): string {
  return tag.toLowerCase()
}

/** What a change of tags adds and removes; undefined when the tags are the same, in the same order. */
export function changeOfTags(
  before: readonly string[],
  after: readonly string[],
): { added: string[]; removed: string[] } | undefined {
  if (before.length === after.length && before.every((tag, index) => tag === after[index])) return undefined
  return {
    added: after.filter((tag) => !before.includes(tag)),
    removed: before.filter((tag) => !after.includes(tag)),
  }
}
