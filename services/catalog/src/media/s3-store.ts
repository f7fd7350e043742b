import { hash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { AwsClient } from 'aws4fetch'
import { DependencyUnavailable } from '@storefront/service'
import type { MediaStore } from './store.ts'

interface S3Options {
  /** Without the bucket, which is in the path, such as https://s3.eu-central-1.amazonaws.com. */
  endpoint: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
  /** Empty, or a text that ends with a slash. */
  prefix: string
  /** The timeout of one attempt. */
  attemptMs?: number
  /** Keys requested at once, 1,000 at most. */
  pageSize?: number
}

/** The timeout of a request with all its attempts, shorter than that of the gateway. */
const TOTAL_MS = 8000
const ATTEMPT_MS = 4000
const ATTEMPTS = 3
const PAUSE_MS = 100
const PAGE_SIZE = 1000

interface S3Body {
  bytes: Buffer
  type: string
}

interface S3Response {
  status: number
  bytes: Buffer
}

/**
 * Files in a bucket with the S3 protocol. Every request is idempotent, and is repeated after a server error. Responses
 * are read whole: a file is a few megabytes at most, and a truncated one must never be sent as if it were complete.
 */
export function openS3Store(options: S3Options): MediaStore {
  const { bucket, region, accessKeyId, secretAccessKey, prefix, attemptMs = ATTEMPT_MS, pageSize = PAGE_SIZE } = options
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 0 })
  const bucketUrl = `${options.endpoint.replace(/\/+$/, '')}/${bucket}`
  const urlOf = (path: string) => `${bucketUrl}/${prefix}${path}`

  async function sendOnce(method: string, url: string, deadline?: AbortSignal, body?: S3Body): Promise<S3Response> {
    const total = AbortSignal.any([AbortSignal.timeout(TOTAL_MS), ...(deadline ? [deadline] : [])])
    let fault: unknown = total.reason
    for (let attempt = 1; attempt <= ATTEMPTS && !total.aborted; attempt++) {
      if (attempt > 1) await setTimeout(PAUSE_MS * attempt * (0.5 + Math.random()))
      try {
        const signal = AbortSignal.any([total, AbortSignal.timeout(attemptMs)])
        const response = await send(client, url, { method, signal, body })
        if (response.status < 300) return response
        const error = new S3Error(method, response)
        if (error.isMissingFile && method !== 'PUT') return response
        fault = error
        if (response.status < 500 && response.status !== 429) break
      } catch (error) {
        fault = error
      }
    }
    throw new DependencyUnavailable('s3', fault)
  }

  return {
    async put(path, bytes, contentType, signal) {
      await sendOnce('PUT', urlOf(path), signal, { bytes, type: contentType })
    },
    async read(path) {
      const { status, bytes } = await sendOnce('GET', urlOf(path))
      return status === 404 ? undefined : bytes
    },
    async *list(wanted, signal) {
      let marker = ''
      for (;;) {
        // The first version of the list API continues after a key, and the second requires a token.
        const query = new URLSearchParams({ prefix: `${prefix}${wanted}`, 'max-keys': String(pageSize), marker })
        const { status, bytes } = await sendOnce('GET', `${bucketUrl}?${query.toString()}`, signal)
        if (status === 404) return
        const page = bytes.toString()
        for (const [, contents = ''] of page.matchAll(/<Contents>([\s\S]*?)<\/Contents>/g)) {
          marker = unescaped(tag(contents, 'Key'))
          yield { path: marker.slice(prefix.length), changedAt: new Date(tag(contents, 'LastModified')) }
        }
        if (tag(page, 'IsTruncated') !== 'true') return
      }
    },
    async remove(path, signal) {
      await sendOnce('DELETE', urlOf(path), signal)
    },
  }
}

async function send(
  client: AwsClient,
  url: string,
  { method, signal, body }: { method: string; signal: AbortSignal; body: S3Body | undefined },
): Promise<S3Response> {
  const request = await client.sign(url, {
    method,
    signal,
    // A redirect would send the signature to another address.
    redirect: 'error',
    ...(body && {
      body: new Uint8Array(body.bytes),
      headers: { 'content-type': body.type, 'x-amz-content-sha256': hash('sha256', body.bytes) },
    }),
  })
  const response = await fetch(request)
  return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) }
}

/** Contains nothing of the request, which carries a signature, and not the response body, which may repeat it. */
class S3Error extends Error {
  readonly isMissingFile: boolean

  constructor(method: string, { status, bytes }: S3Response) {
    const code = /<Code>(\w{1,60})<\/Code>/.exec(bytes.toString('latin1', 0, 2000))?.[1] ?? 'no code'
    super(`the bucket replied with status ${status} (${code}) to ${method}`)
    this.name = 'S3Error'
    this.isMissingFile = status === 404 && code !== 'NoSuchBucket'
  }
}

function tag(xml: string, name: string): string {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? ''
}

const ENTITIES: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&apos;': "'", '&amp;': '&' }

function unescaped(text: string): string {
  return text.replaceAll(/&(?:lt|gt|quot|apos|amp);/g, (entity) => ENTITIES[entity] ?? entity)
}
