/** The form in which the shop compares tags. */
export function tagKey(tag: string): string {
  return tag.toLowerCase()
}

/**
 * Changes tags as a person did, without undoing what another one did meanwhile.
 * @param former the tags that the person saw
 * @param wanted what the person made of them
 * @param current the tags as they are stored now
 */
export function mergeTags(former: readonly string[], wanted: readonly string[], current: readonly string[]): string[] {
  const without = (tags: readonly string[], others: readonly string[]) =>
    tags.filter((tag) => !others.some((other) => tagKey(other) === tagKey(tag)))
  return [...without(current, without(former, wanted)), ...without(without(wanted, former), current)]
}
