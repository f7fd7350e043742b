import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { repository } from '../repository/source-files.ts'
import { benchCommands } from './bench-commands.ts'

/** When an option is given twice, the last one counts, so these replace the options in the documents. */
const LITTLE = '--seconds 0.2 --rounds 1 --rate 50 --backlog 200 --minutes 1 --orders 3000 --customers 900'
const FEW_PRODUCTS = '--products 200'

function little(command: string): string {
  const options = command.includes('--products') ? `${LITTLE} ${FEW_PRODUCTS}` : LITTLE
  return `${command}${command.includes(' -- ') ? '' : ' --'} ${options}`
}

describe('a short run prints a table:', () => {
  test.for(benchCommands())('%s', async (command) => {
    const { stdout } = await promisify(execFile)('bash', ['-c', little(command)], { cwd: repository })
    expect(stdout).toMatch(/^\| -+ \|/m)
  })
})
