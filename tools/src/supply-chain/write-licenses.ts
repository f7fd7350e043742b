import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { licensesPage } from './licenses-page.ts'
import { readLockedPackages } from './lock-file.ts'

const repository = resolve(import.meta.dirname, '../../..')

writeFileSync(join(repository, 'docs/licenses.md'), licensesPage(readLockedPackages(repository)))
process.stdout.write('docs/licenses.md written\n')
