import { Readable } from 'node:stream'
import type { ImageInput, ProductInput } from '@storefront/contracts'
import { underLease } from '@storefront/jobs'
import { transaction } from '@storefront/postgres'
import { importCancelled } from '../errors.ts'
import { inspectPicture, storePictureFiles } from '../media/store-picture-files.ts'
import { UnusablePicture } from '../media/encode-picture.ts'
import { lockMedia } from '../media/media.queries.ts'
import { pathsOf, readableName, webpPath } from '../media/media.ts'
import { isComplete } from '../media/store-pictures.ts'
import { findFaults } from './check-import.ts'
import { noIssues } from './issue-list.ts'
import { findJob, saveProgress, type Job } from './jobs.queries.ts'
import { UnreachablePicture } from './picture-source.ts'
import {
  claimPictures,
  findFetchedPictures,
  findOpenPictures,
  releasePictures,
  savePicture,
  type FetchedPicture,
} from './pictures.queries.ts'
import { BUSY, endFailed, progressOf, type ImportContext } from './run-import.ts'
import { rowsInChunks, updateRows } from './staging.queries.ts'

/** Pictures of one import that are fetched at the same time; all imports share the queues of the picture source. */
const AT_ONCE = 4
const CHUNK = 500
/** Shorter than STALE_MS, and than the five minutes after which an import without a heartbeat counts as lost. */
const HEARTBEAT_MS = 10_000
const STALE_MS = 60_000
/** After this many timeouts in a row a host gets no further requests, because each would take its whole deadline. */
const SILENT_IN_A_ROW = 8

/** A process whose last heartbeat is older counts as dead. */
export function staleBefore(now: Date): Date {
  return new Date(now.getTime() - STALE_MS)
}

/** The dependencies of fetching. */
type FetchContext = Pick<ImportContext, 'db' | 'clock' | 'log' | 'media' | 'pictures'>

interface FetchOptions {
  /** The name of this process. */
  worker: string
  /** The deadline of all pictures together. */
  deadlineMs: number
  isStopping: () => boolean
  /** Whether a request waits for the job, so that no other process may claim it when this one releases it. */
  isAttended: boolean
}

/**
 * Fetches the pictures of an import into the shop's own store, where they are invisible until the import is applied.
 * Pictures that cannot be fetched become errors of the import. A dry run, and an import with other errors, only checks
 * them.
 * @returns the job with its pictures, or BUSY when another process is fetching them
 */
export async function fetchPictures(
  context: FetchContext,
  id: string,
  options: FetchOptions,
): Promise<typeof BUSY | Job> {
  const { db, clock } = context
  const { worker, isStopping, isAttended } = options
  const now = clock.now()
  if (!(await claimPictures(db, id, { worker, now, staleBefore: staleBefore(now) }))) return BUSY
  const renew = () => saveProgress(db, id, {}, clock.now())
  try {
    return await underLease({ everyMs: HEARTBEAT_MS, renew, failed: () => {} }, async () => {
      const job = await findJob(db, id)
      const isWhole = await fetchOpen(context, job, options)
      if (isWhole) await showFetched(context, id)
      const fetched = await saveProgress(db, id, { status: 'queued', picturesFetched: job.pictures }, clock.now())
      if (!fetched) throw importCancelled()
      return fetched
    })
  } catch (error) {
    await endFailed(context, id, error, { isStopping, isAttended })
    throw error
  } finally {
    await releasePictures(db, id, worker)
  }
}

/** @returns whether all pictures were fetched or failed before the deadline */
async function fetchOpen(context: FetchContext, job: Job, { deadlineMs, isStopping }: FetchOptions): Promise<boolean> {
  const { db, clock } = context
  const open = await findOpenPictures(db, job.id)
  // Pictures are stored as they arrive only if the import has no other errors.
  const keeps = !job.dryRun && job.issueCount === 0 && (await findFaults(db, job, noIssues())).total === 0
  const progress = progressOf(context, job.id, isStopping)
  const untilMs = performance.now() + deadlineMs
  const silentByHost = new Map<string, number>()
  let done = job.pictures - open.length
  let late = 0
  const fetchOne = async (url: string) => {
    if (performance.now() >= untilMs) {
      late++
      return
    }
    while (!(await save(context, job.id, url, await outcomeOf(context, url, { keeps, silentByHost }))));
    await progress({ picturesFetched: ++done })
  }
  await Readable.from(open).forEach(fetchOne, { concurrency: AT_ONCE })
  if (late === 0) return true
  const message = `${late} of ${job.pictures} were not fetched in time; import with async=1, or with keep_picture_links=1`
  const issues = [...job.issues, { path: 'pictures', message }]
  await saveProgress(db, job.id, { issues, issueCount: job.issueCount + 1 }, clock.now())
  return false
}

type Outcome = { media: FetchedPicture } | { fault: string }

/**
 * Records the outcome for a picture. From then on its files stay, even if a merchant uploads and deletes the same
 * picture.
 * @returns false when its files were already removed, so that it must be fetched again
 */
async function save({ db, media }: FetchContext, jobId: string, url: string, outcome: Outcome): Promise<boolean> {
  return transaction(db, async (tx) => {
    if ('media' in outcome && outcome.media.stored) {
      const { id, stored } = outcome.media
      await lockMedia(tx, [id])
      if (!(await isComplete(media, id, pathsOf({ id, sizes: stored.sizes })))) return false
    }
    await savePicture(tx, jobId, url, outcome)
    return true
  })
}

/** @param silentByHost the number of consecutive timeouts of each host */
async function outcomeOf(
  context: FetchContext,
  url: string,
  { keeps, silentByHost }: { keeps: boolean; silentByHost: Map<string, number> },
): Promise<Outcome> {
  const host = URL.parse(url)?.host ?? ''
  const silent = silentByHost.get(host) ?? 0
  if (silent >= SILENT_IN_A_ROW) return { fault: `was not fetched: ${host} did not reply ${silent} times in a row` }
  try {
    const media = await fetchPicture(context, url, keeps)
    silentByHost.delete(host)
    return { media }
  } catch (error) {
    if (error instanceof UnreachablePicture && error.isSilent) silentByHost.set(host, (silentByHost.get(host) ?? 0) + 1)
    if (error instanceof UnreachablePicture || error instanceof UnusablePicture) return { fault: error.message }
    throw error
  }
}

async function fetchPicture(context: FetchContext, url: string, keeps: boolean): Promise<FetchedPicture> {
  const { pictures } = context
  return pictures.limitFetches(async () => {
    const bytes = await pictures.fetch(url)
    if (!keeps) return inspectPicture(bytes, pictures.encoding)
    const { stored, ...kept } = await storePictureFiles(context, bytes, pictures.encoding)
    return { ...kept, ...(stored && { stored: { ...stored, name: nameOf(url) } }) }
  })
}

/** The displayed name of a fetched picture: the last part of its address. */
function nameOf(url: string): string {
  const last = URL.parse(url)?.pathname.split('/').at(-1) ?? ''
  try {
    return readableName(decodeURIComponent(last))
  } catch {
    return readableName(last)
  }
}

/** Replaces the pictures in the products of an import by those in the shop's own store. */
async function showFetched({ db }: FetchContext, id: string): Promise<void> {
  for await (const rows of rowsInChunks<ProductInput>(db, { id }, 'product', CHUNK)) {
    const urls = rows.flatMap(({ data }) => data.images.map(({ url }) => url))
    const fetched = await findFetchedPictures(db, id, urls)
    const shownRows = rows.map(({ place, data }) => ({
      place,
      value: { ...data, images: data.images.map((each) => shown(each, fetched)) },
    }))
    await updateRows(db, id, 'product', { column: 'data', rows: shownRows })
  }
}

function shown(image: ImageInput, fetched: ReadonlyMap<string, FetchedPicture>): ImageInput {
  const picture = fetched.get(image.url)
  if (!picture) return image
  const { id, width, height } = picture
  return { ...image, url: `/media/${webpPath(id, width)}`, width, height }
}
