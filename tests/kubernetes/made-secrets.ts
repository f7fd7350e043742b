import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { folder } from './manifests.ts'
import type { Secrets } from './pod-environment.ts'

/** A kubectl without a cluster: it writes what it should create to a folder. */
const KUBECTL = `#!/bin/sh
case "$3 $4" in
  'get secret')
    test -f "$SECRETS_DIR/$5" || exit 1
    # As for jsonpath={.data.SECRETS_KEY}.
    key=$(echo "\${7:-}" | tr -cd A-Z_)
    [ -z "$key" ] || sed -n "s/^$key=//p" "$SECRETS_DIR/$5" | tr -d '\\n' | openssl base64 -A ;;
  'create secret') cat > "$SECRETS_DIR/$6" ;;
  *) echo "not expected: $*" >&2; exit 2 ;;
esac
`

/**
 * Runs create-secrets.sh this many times, with a kubectl that writes to a folder.
 * @param existing the lines of Secrets that are there before
 */
export function madeSecrets(
  environment: Record<string, string> = {},
  { times = 1, existing = {} }: { times?: number; existing?: Record<string, string> } = {},
): Secrets {
  const place = mkdtempSync(join(tmpdir(), 'storefront-secrets-'))
  const kept = join(place, 'kept')
  try {
    mkdirSync(kept)
    for (const [name, lines] of Object.entries(existing)) writeFileSync(join(kept, name), lines)
    writeFileSync(join(place, 'kubectl'), KUBECTL)
    chmodSync(join(place, 'kubectl'), 0o755)
    const env = { ...environment, SECRETS_DIR: kept, PATH: `${place}${delimiter}${process.env['PATH'] ?? ''}` }
    for (let run = 0; run < times; run++) execFileSync(join(folder, 'create-secrets.sh'), { env })
    return Object.fromEntries(readdirSync(kept).map((name) => [name, pairsOf(readFileSync(join(kept, name), 'utf8'))]))
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

function pairsOf(text: string): Record<string, string> {
  return Object.fromEntries(
    text
      .trimEnd()
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
}
