import { expect, test } from 'vitest'
import { filesBelow, readText } from './source-files.ts'

/** Functions that a bundler treats as without effect: it leaves out a call whose result is unused, with its `try`. */
const WITHOUT_EFFECT = /^\s+(?:decodeURI(?:Component)?|encodeURI(?:Component)?|new URL|new Intl\.\w+)\([^()=]*\)$/
const FOLDERS = ['services', 'packages', 'apps', 'tools', 'demo']

test('no check relies on an error of a call whose result is unused', () => {
  const sources = FOLDERS.flatMap((folder) => filesBelow(folder)).filter((path) => /\/src\/.*\.tsx?$/.test(path))
  expect(sources.length).toBeGreaterThan(1000)
  const found = sources.flatMap((path) =>
    readText(path)
      .split('\n')
      .filter((line) => WITHOUT_EFFECT.test(line))
      .map((line) => `${path}: ${line.trim()}`),
  )
  expect(found).toEqual([])
})
