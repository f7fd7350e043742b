import { programSources, programsOrSources } from './build-programs.ts'

interface BuildsOptions {
  dataDir: string
  cacheDir?: string
  inThisProcess?: boolean
  print: (line: string) => void
  signal?: AbortSignal
  beforeServices?: (signal: AbortSignal) => Promise<unknown>
}

/** Begins to build the programs of a shop, and whatever else has to be ready before its services start. */
export function beginBuilds(options: BuildsOptions) {
  const { dataDir, cacheDir = dataDir, inThisProcess = false, print, beforeServices = async () => {} } = options
  const ending = new AbortController()
  const signal = options.signal ? AbortSignal.any([options.signal, ending.signal]) : ending.signal
  const builds = [
    inThisProcess ? Promise.resolve(programSources(cacheDir)) : programsOrSources(cacheDir, { print, signal }),
    beforeServices(signal),
  ] as const
  const programs = Promise.all(builds).then(([files]) => files)
  programs.catch(() => {}) // A launch that fails before it awaits them has another error to report.
  return {
    programs,
    /** Cancels the builds that run. Resolves when they have deleted what they began. */
    async end() {
      ending.abort()
      await Promise.allSettled(builds)
    },
  }
}
