/**
 * Positions in which words are found, the best first; each contains the previous. The heading is the text around a
 * title: subtitle, tags, categories. The words are all words, including the description.
 */
export const PLACES = ['title', 'heading', 'words'] as const
export type Place = (typeof PLACES)[number]
