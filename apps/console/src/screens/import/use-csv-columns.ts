import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import {
  missingColumns,
  placeColumns,
  readCsv,
  type CsvAttributes,
  type CsvChoices,
  type CsvColumn,
  type CsvColumns,
} from '@storefront/contracts/product-csv'
import { vocabularyQuery } from '../library/library-queries.ts'
import type { ImportFile } from './import-file.ts'
import { CSV_TYPE } from './import-types.ts'

const SHOWN_ROWS = 3

/** How the shop reads the columns of a CSV. */
export interface CsvReading {
  header: readonly string[]
  rows: readonly (readonly string[])[]
  attributes: CsvAttributes
  /** By the names of the columns alone; a text says why they cannot be read. */
  own: CsvColumns | string
  /** With the choices of the merchant. */
  columns: CsvColumns | string
  /** What is needed and still has no column. */
  missing: readonly CsvColumn[]
}

/** @returns undefined for a file of another type */
export function useCsvColumns(file: ImportFile, choices: CsvChoices): CsvReading | undefined {
  const isCsv = file.type === CSV_TYPE
  const attributes = useQuery({ ...vocabularyQuery, enabled: isCsv }).data?.items
  return useMemo(
    () => (isCsv ? readColumns(file.text, attributes ?? [], choices) : undefined),
    [isCsv, file.text, attributes, choices],
  )
}

export function readColumns(text: string, attributes: CsvAttributes, choices: CsvChoices): CsvReading {
  const { header, rows } = firstRows(text)
  const columns = placeColumns(header, attributes, choices)
  return {
    header,
    rows,
    attributes,
    own: placeColumns(header, attributes),
    columns,
    missing: typeof columns === 'string' ? [] : missingColumns(columns),
  }
}

function firstRows(text: string): { header: string[]; rows: string[][] } {
  const rows: string[][] = []
  for (const { cells } of readCsv(text)) {
    if (cells.length > 0) rows.push(cells.map((cell) => cell.text))
    if (rows.length > SHOWN_ROWS) break
  }
  const [header = [], ...others] = rows
  return { header, rows: others }
}
