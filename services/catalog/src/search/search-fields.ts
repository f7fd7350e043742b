/**
 * Parts of a listing in which words are found, the best first; each contains the previous. The heading is the title
 * with subtitle, tags and categories. The words are all words, including the description.
 */
export const SEARCH_FIELDS = ['title', 'heading', 'words'] as const
export type SearchField = (typeof SEARCH_FIELDS)[number]
