import { readText } from '../repository/source-files.ts'

export interface CodeBlock {
  line: number
  text: string
}

/** The fenced blocks of a document whose info string is this, in their order. */
export function codeBlocks(document: string, info: string): CodeBlock[] {
  const text = readText(document)
  const fenced = /^ *```([^\n]*)\n([\s\S]*?)^ *```$/gm
  return [...text.matchAll(fenced)]
    .filter(([, language]) => language === info)
    .map((match) => ({ line: text.slice(0, match.index).split('\n').length, text: match[2] ?? '' }))
}
