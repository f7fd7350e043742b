import { expect, test } from 'vitest'
import { effortTable } from './effort-table.ts'
import { TASKS } from './task.ts'

test('the table shows the medians of the rounds, and a dash for a task that a dashboard cannot do', () => {
  const [task] = TASKS
  const rounds = [
    { clicks: 9, keys: 2, texts: 5, seconds: 2.04 },
    { clicks: 7, keys: 4, texts: 5, seconds: 9.5 },
    { clicks: 8, keys: 3, texts: 5, seconds: 1 },
  ]
  const dashboards = ['Ours', 'Theirs'].map((name) => ({ name, url: '', tasks: {} }))
  const rows = effortTable(dashboards, new Map([[`Ours: ${task}`, rounds]])).split('\n')
  expect(rows[2]).toBe(`| ${task} | 8 | 3 | 5 | 2.0 | – | – | – | – |`)
  expect(rows).toHaveLength(2 + TASKS.length)
})
