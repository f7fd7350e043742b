import type { LookupAddress } from 'node:dns'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'

/** This machine, whatever a name server replies for it (RFC 6761). */
const LOOPBACK: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

/** The addresses of a name in the hosts file of this machine, which operators and container engines write. */
export async function addressesInHosts(name: string, path: string): Promise<LookupAddress[]> {
  const text = await readFile(path, 'utf8').catch(() => '')
  const found = addressesIn(text, name)
  const isLoopback = name === 'localhost' || name.endsWith('.localhost')
  return found.length === 0 && isLoopback ? [...LOOPBACK] : found
}

function addressesIn(text: string, name: string): LookupAddress[] {
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = (line.split('#')[0] ?? '').trim().split(/\s+/)
    const family = isIP(address)
    return family !== 0 && names.some((one) => one.toLowerCase() === name) ? [{ address, family }] : []
  })
}
