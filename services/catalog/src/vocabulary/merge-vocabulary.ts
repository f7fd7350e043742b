import type { Attribute, Library, LibraryAttribute, Vocabulary } from '@storefront/contracts'

/** The vocabulary that is part of the service, without what a store added. */
export type BuiltInVocabulary = Pick<Vocabulary, 'items' | 'groups' | 'icons' | 'assurances'>

/** Merges a store's library into the built-in vocabulary; the store's keys and assurances take precedence. */
export function mergeVocabulary(builtIn: BuiltInVocabulary, library: Library): Vocabulary {
  // A key that is set again keeps its place.
  const items = new Map(builtIn.items.map((item) => [item.key, item]))
  for (const attribute of library.attributes) {
    items.set(attribute.key, customAttribute(attribute, items.get(attribute.key)))
  }
  const groups = new Map(builtIn.groups.map((group) => [group.id, group]))
  for (const { group } of library.attributes) {
    if (!groups.has(group)) groups.set(group, { id: group, label: labelOf(group) })
  }
  const saved = new Set(library.assurances.map((assurance) => assurance.label))
  return {
    items: [...items.values()],
    groups: [...groups.values()],
    icons: builtIn.icons,
    assurances: [...builtIn.assurances.filter((assurance) => !saved.has(assurance.label)), ...library.assurances],
    features: library.features,
    total: items.size,
  }
}

/** The library does not store whether an attribute is a highlight: a replaced attribute keeps the built-in value. */
function customAttribute({ id: _id, ...attribute }: LibraryAttribute, replaced: Attribute | undefined): Attribute {
  return { ...attribute, highlight: replaced?.highlight ?? false }
}

/** `care-and-origin` becomes `Care and origin`. */
export function labelOf(name: string): string {
  const words = name.replaceAll(/[-_\s]+/g, ' ').trim()
  return words === '' ? name : words.charAt(0).toUpperCase() + words.slice(1)
}
