import { compile, type FormatCallback, type HtmlToTextOptions } from 'html-to-text'

/** Elements without readable content. */
const UNREAD = ['button', 'head', 'iframe', 'img', 'noscript', 'object', 'select', 'svg', 'template', 'textarea', 'hr']
const BLOCKS = ['address', 'center', 'dd', 'details', 'dl', 'dt', 'figcaption', 'figure', 'li', 'section', 'summary']
const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']
/** Deeper than any editor nests. Deeper content becomes an ellipsis, because each level uses stack space. */
const MAX_DEPTH = 100
/** Doubly encoded text is decoded up to this depth; deeper text loses its brackets. */
const MAX_ROUNDS = 5
const TAG = /<\/?[a-z][^<>]*>/i

/** Rows of a table become lines with bars between the cells. */
const table: FormatCallback = (element, walk, builder) => {
  builder.openTable()
  addRows(element.children ?? [], walk, builder)
  builder.closeTable({
    leadingLineBreaks: 2,
    trailingLineBreaks: 2,
    tableToString: (rows) =>
      rows.map((cells) => cells.map(({ text }) => text.replaceAll(/\s+/g, ' ').trim()).join(' | ')).join('\n'),
  })
}

function addRows(
  elements: Parameters<Parameters<FormatCallback>[1]>[0],
  walk: Parameters<FormatCallback>[1],
  builder: Parameters<FormatCallback>[2],
): void {
  for (const { name = '', children = [] } of elements) {
    if (['thead', 'tbody', 'tfoot'].includes(name)) addRows(children, walk, builder)
    if (name !== 'tr') continue
    builder.openTableRow()
    for (const cell of children.filter((child) => child.name === 'td' || child.name === 'th')) {
      builder.openTableCell()
      walk(cell.children ?? [], builder)
      builder.closeTableCell()
    }
    builder.closeTableRow()
  }
}

const ONE_BREAK = { leadingLineBreaks: 1, trailingLineBreaks: 1 }
const OPTIONS: HtmlToTextOptions = {
  wordwrap: false,
  baseElements: { selectors: [] },
  limits: { maxDepth: MAX_DEPTH, ellipsis: '…' },
  formatters: { table },
  selectors: [
    ...UNREAD.map((selector) => ({ selector, format: 'skip' })),
    ...[...BLOCKS, 'li > p'].map((selector) => ({ selector, format: 'block', options: ONE_BREAK })),
    ...HEADINGS.map((selector) => ({ selector, options: { uppercase: false, leadingLineBreaks: 2 } })),
    { selector: 'a', options: { ignoreHref: true } },
    { selector: 'blockquote', format: 'block', options: { leadingLineBreaks: 2, trailingLineBreaks: 2 } },
    { selector: 'ul', options: { itemPrefix: '• ' } },
    { selector: 'table', format: 'table' },
  ],
}
/** Compiled at the first use, because it would delay every start of the service by 20 ms. */
let convert: ReturnType<typeof compile> | undefined

/** Converts HTML to text, with lines for its blocks and nothing that a browser could take for markup. */
export function readableText(html: string): string {
  convert ??= compile(OPTIONS)
  let text = convert(html)
  for (let round = 1; round < MAX_ROUNDS && TAG.test(text); round++) text = convert(encoded(text))
  return text
    .replaceAll(/<+/g, (run, at: number, all: string) => (/[a-z/!?]/i.test(all.charAt(at + run.length)) ? '' : run))
    .replaceAll(/[ \t\r\f\v\u00a0]+/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}

/** Prepares text with tags for parsing: a bracket that begins no tag must not swallow the text after it. */
function encoded(text: string): string {
  return text.replaceAll(/<(?!\/?[a-z][^<>]*>)/gi, '&lt;').replaceAll('\n', '<br>')
}
