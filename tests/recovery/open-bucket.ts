import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryFolder } from '@storefront/tools/testing'

interface FakeS3 {
  run(): Promise<{ port: number }>
  close(): Promise<void>
}
type FakeS3Class = new (options: Record<string, unknown>) => FakeS3

const NAME = 'backups'
/** The only key that this server accepts. */
const KEY = 'S3RVER'

/**
 * Starts a server with the protocol of S3 over TLS, as pgBackRest requires it, with an empty bucket.
 * @param address on which it listens
 */
export async function openBucket(address = '127.0.0.1') {
  const S3rver: FakeS3Class = createRequire(import.meta.url)('s3rver')
  const folder = await temporaryFolder('storefront-bucket')
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost']
  await promisify(execFile)('openssl', [...request, '-keyout', key, '-out', cert])
  const s3 = new S3rver({
    address,
    port: 0,
    silent: true,
    directory: folder,
    configureBuckets: [{ name: NAME }],
    vhostBuckets: false,
    key: await readFile(key),
    cert: await readFile(cert),
  })
  const { port } = await s3.run()
  return { port, name: NAME, keyId: KEY, secret: KEY, stop: () => s3.close() }
}
