import { expect, it } from 'vitest'
import { readArguments } from './arguments.ts'

it('knows --reset and --help, and refuses the rest in a sentence', () => {
  expect(readArguments(['--reset'])).toEqual({ reset: true, help: false })
  expect(readArguments([])).toEqual({ reset: false, help: false })
  expect(() => readArguments(['--rest'])).toThrow('--rest is not known here: see npm start -- --help.')
})
