import type { CatalogConfig } from '../config.ts'
import { openFolderStore } from './folder-store.ts'
import { openS3Store } from './s3-store.ts'

export interface StoredFile {
  path: string
  changedAt: Date
}

/** Where files lie. Paths are plain: letters, digits, `_`, `-` and `.`, with slashes between them, none at the start. */
export interface MediaStore {
  /** Writes a whole file or nothing; one that is there is replaced. It has survived a power cut when this resolves. */
  put(path: string, bytes: Buffer, contentType: string): Promise<void>
  /** @returns undefined when there is no such file */
  read(path: string): Promise<Buffer | undefined>
  /** Every file whose path begins with `prefix`, which ends with a slash. */
  list(prefix: string): AsyncIterable<StoredFile>
  /** A file that is not there is no error. */
  remove(path: string): Promise<void>
}

/**
 * Waits until all of it has ended, even when some of it failed: nothing may go on when a lock has been given back.
 * @throws what failed first in the order given
 */
export async function untilAllEnd(work: Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(work)) if (result.status === 'rejected') throw result.reason
}

/** The bucket when one is configured, otherwise the folder. */
export function openMediaStore(config: CatalogConfig): MediaStore {
  const {
    MEDIA_S3_ENDPOINT: endpoint,
    MEDIA_S3_BUCKET: bucket,
    MEDIA_S3_REGION: region,
    MEDIA_S3_ACCESS_KEY_ID: accessKeyId,
    MEDIA_S3_SECRET_ACCESS_KEY: secretAccessKey,
    MEDIA_S3_PREFIX: prefix,
  } = config
  if (endpoint === undefined || bucket === undefined || accessKeyId === undefined || secretAccessKey === undefined) {
    return openFolderStore(config.MEDIA_DIR)
  }
  return openS3Store({ endpoint, bucket, region, accessKeyId, secretAccessKey, prefix })
}
