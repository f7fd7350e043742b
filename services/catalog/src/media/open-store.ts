import type { CatalogConfig } from '../config.ts'
import { openFolderStore } from './folder-store.ts'
import { openS3Store } from './s3-store.ts'
import type { MediaStore } from './store.ts'

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
