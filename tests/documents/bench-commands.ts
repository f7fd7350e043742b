import { DOCUMENTS, readText } from '../repository/source-files.ts'

/** The bench commands in the blocks and the text of documents, each once, without those that only print the options. */
export function benchCommands(): string[] {
  const found = DOCUMENTS.flatMap((document) => [...readText(document).matchAll(/npm run bench(?: --[^`\n]*)?/g)])
  return [...new Set(found.map(([command]) => command.trim()))].filter((command) => !command.includes('--help'))
}
