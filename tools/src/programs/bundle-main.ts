import { bundlePrograms } from './bundle.ts'
import { messageOf } from '../start-error.ts'

const [into] = process.argv.slice(2)
try {
  if (into === undefined) throw new Error('node tools/src/programs/bundle-main.ts <folder>')
  await bundlePrograms(into)
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`)
  process.exitCode = 1
}
