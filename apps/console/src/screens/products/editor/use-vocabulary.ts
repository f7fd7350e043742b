import { useQuery } from '@tanstack/react-query'
import { vocabularyQuery } from '../../library/library-queries.ts'

/** Suggestions of the shop: attributes with their values, icons, features and assurances. */
export function useVocabulary() {
  const vocabulary = useQuery(vocabularyQuery).data
  const byKey = new Map((vocabulary?.items ?? []).map((attribute) => [attribute.key, attribute]))
  return {
    attributes: vocabulary?.items ?? [],
    groups: vocabulary?.groups ?? [],
    icons: vocabulary?.icons ?? [],
    features: vocabulary?.features ?? [],
    assurances: vocabulary?.assurances ?? [],
    /** Values that are usual for an attribute. */
    valuesOf: (key: string): string[] => [...new Set(byKey.get(key)?.values)],
  }
}
