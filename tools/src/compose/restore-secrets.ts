import { text } from 'node:stream/consumers'
import { replaceSecrets } from '../secrets.ts'
import { reportFailure } from '../start-error.ts'

/** Runs in the container of `configure`, which alone mounts this volume, with secrets.json of a backup as its input. */
try {
  replaceSecrets('/volumes/all', await text(process.stdin))
} catch (error) {
  reportFailure('The restore of the secrets', error)
}
