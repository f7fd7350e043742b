/** A document of an order as it is printed, in words. */
export interface PrintedDocument {
  /** Such as `Invoice`. */
  title: string
  /** Names the document, such as `INV-000001`. */
  number: string
  /** BCP 47. */
  locale: string
  createdAt: Date
  shop: { name: string; lines: readonly string[] }
  facts: readonly Fact[]
  recipient: { heading: string; lines: readonly string[] }
  /** Stands alone, below the recipient. */
  note?: { heading: string; lines: readonly string[] } | undefined
  columns: readonly Column[]
  /** Each has a cell for each column. */
  rows: readonly (readonly Cell[])[]
  sums: readonly Sum[]
}

export interface Fact {
  label: string
  value: string
}

export interface Column {
  heading: string
  /** Share of the width of all columns. */
  share: number
  align?: 'right'
}

/** A box to tick by hand, or text with a smaller line below it. */
export type Cell = 'box' | { text: string; below?: string | undefined }

export interface Sum extends Fact {
  isStrong?: boolean
}
