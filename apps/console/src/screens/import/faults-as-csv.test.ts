import { expect, test } from 'vitest'
import { faultsAsCsv } from './faults-as-csv.ts'

test('the list of faults contains no formula, whatever separates cells in a spreadsheet', async () => {
  const values = ['=1', '\t=1', 'A;=1', 'a\n+1', '＝1', '-1', 'a-b']
  const common = { column: 'Title', cell: undefined, path: 'Title', message: 'is wrong' }
  const faults = values.map((value, index) => ({ ...common, id: value, row: index + 2, value }))
  const csv = await faultsAsCsv(['Row', 'Column', 'Value', 'Fault'], faults).text()
  const shown = ["'=1", `"\t'=1"`, `"A;'=1"`, `"a\n'+1"`, "'＝1", "'-1", 'a-b']
  expect(csv.split('\r\n').slice(1, -1)).toEqual(shown.map((value, index) => `${index + 2},Title,${value},is wrong`))
})
