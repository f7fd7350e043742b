/**
 * Changes the code of money, stock, discounts and transitions in some 1,600 small ways, runs the tests that cover each
 * change, and lists the changes that no test notices. It works in a copy of the repository, where Stryker is installed:
 * 150 packages that nothing else needs.
 *
 *     npm run test:mutants
 *     npm run test:mutants -- --area stock
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { optionsOrExit } from '@storefront/tools/read-options'

const STRYKER = ['@stryker-mutator/core@10.1.1', '@stryker-mutator/vitest-runner@10.1.1']
const repository = resolve(import.meta.dirname, '../..')

const Report = z.object({
  files: z.record(z.string(), z.object({ mutants: z.array(z.object({ status: z.string() })) })),
})
const Config = z.object({ mutate: z.array(z.string()) })

/** The part of the mutants of each area that tests must kill. */
const LEAST_KILLED = 0.85
const AREAS: Record<string, RegExp> = {
  money: /money|provider-amount/,
  stock: /\/stock\//,
  discounts: /services\/cart\//,
  transitions: /transitions|change-status|cancel-order|refund|apply-payment-update/,
}

const { area: onlyArea } = optionsOrExit({
  command: 'npm run test:mutants',
  help: [
    'npm run test:mutants     changes the code of money and stock, and lists the changes that no test notices',
    `--area NAME              only that of ${Object.keys(AREAS).join(', ')}`,
    '',
  ].join('\n'),
  options: { area: { type: 'string' }, help: { type: 'boolean' } },
})
const areas = Object.entries(AREAS).filter(([name]) => onlyArea === undefined || name === onlyArea)
if (areas.length === 0) {
  process.stderr.write(`--area must be one of ${Object.keys(AREAS).join(', ')}.\n`)
  process.exit(2)
}

// Ctrl-C ends the programs that this one waits for. It then deletes the copy, which has 900 MB.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})

const copy = mkdtempSync(join(tmpdir(), 'storefront-mutants-'))
try {
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
    cwd: repository,
    encoding: 'utf8',
  })
  for (const file of files.split('\0').filter((each) => each !== '')) cpSync(join(repository, file), join(copy, file))
  const npm = (...args: string[]) => execFileSync('npm', args, { cwd: copy, stdio: 'inherit' })
  npm('ci')
  npm('install', '--no-save', '--no-audit', '--no-fund', ...STRYKER)
  npm(
    'exec',
    '--',
    'stryker',
    'run',
    'stryker.config.json',
    ...(onlyArea === undefined ? [] : ['--mutate', filesOf(areas)]),
  )
  const report = Report.parse(JSON.parse(readFileSync(join(copy, 'reports/mutation/mutation.json'), 'utf8')))
  for (const [area, paths] of areas) {
    const mutants = Object.entries(report.files).flatMap(([path, { mutants: all }]) => (paths.test(path) ? all : []))
    const counted = mutants.filter(({ status }) => status !== 'Ignored' && status !== 'CompileError')
    const timeouts = counted.filter(({ status }) => status === 'Timeout').length
    const killed = counted.filter(({ status }) => status === 'Killed').length + timeouts
    const part = killed / counted.length
    process.stdout.write(
      `${area}: ${killed} of ${counted.length} killed, ${timeouts} of them by the time limit, ${(part * 100).toFixed(1)} percent\n`,
    )
    if (!(part > LEAST_KILLED)) process.exitCode = 1
  }
} finally {
  rmSync(copy, { recursive: true, force: true })
}

/** @returns the patterns of these areas among those that are changed by default */
function filesOf(chosen: readonly (readonly [string, RegExp])[]): string {
  const { mutate } = Config.parse(JSON.parse(readFileSync(join(copy, 'stryker.config.json'), 'utf8')))
  return mutate.filter((each) => each.startsWith('!') || chosen.some(([, paths]) => paths.test(each))).join(',')
}
