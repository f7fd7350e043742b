import { expect, it } from 'vitest'
import { readArguments } from './arguments.ts'

it('accepts --reset and --help, and rejects other arguments with a sentence', () => {
  expect(readArguments(['--reset'])).toEqual({ reset: true, help: false })
  expect(readArguments([])).toEqual({ reset: false, help: false })
  expect(() => readArguments(['--rest'])).toThrow('--rest is an unknown argument: see npm start -- --help.')
})
