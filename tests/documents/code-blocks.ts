import { readText } from '../repository/source-files.ts'

export interface CodeBlock {
  line: number
  /** The text after the backticks: the language, and for `sh` also where its commands are run. */
  info: string
  text: string
}

/** The fenced blocks of a document in their order: all of them, or those with one of these info strings. */
export function codeBlocks(document: string, ...infos: readonly string[]): CodeBlock[] {
  const text = readText(document)
  return [...text.matchAll(/^ *```([^\n]*)\n([\s\S]*?)^ *```$/gm)]
    .map(({ index, 1: info = '', 2: block = '' }) => ({
      line: text.slice(0, index).split('\n').length,
      info,
      text: block,
    }))
    .filter(({ info }) => infos.length === 0 || infos.includes(info))
}

/** The commands of blocks, one a line, without comments; a backslash joins the lines of one command. */
export function commandLines(blocks: readonly CodeBlock[]): string[] {
  return blocks
    .flatMap(({ text }) => text.replaceAll('\\\n', ' ').split('\n'))
    .map((line) => line.replace(/(^|\s)#.*$/, '').trim())
    .filter((line) => line !== '')
}
