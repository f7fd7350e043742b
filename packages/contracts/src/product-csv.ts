// In a separate file, because browsers load it too: nothing in here needs Node.
export * from './product-csv/columns.ts'
export * from './product-csv/cells.ts'
export * from './product-csv/separators.ts'
export { columnNames } from './product-csv/names.ts'
