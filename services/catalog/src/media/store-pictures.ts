import { recordChange } from '@storefront/audit'
import { transaction } from '@storefront/postgres'
import type { ConcurrencyLimit } from '@storefront/service'
import type { Actor, Media } from '@storefront/contracts'
import type { CatalogContext } from '../context.ts'
import type { Tx } from '../database.ts'
import { mediaRejected, type Issue } from '../errors.ts'
import { encodePicture, UnusablePicture, type EncodedPicture } from './encode-picture.ts'
import { findMedia, insertMedia, lockMedia, updateMedia } from './media.queries.ts'
import { folderOf, JPEG, jpegPath, mediaResponse, mediaIdOf, pathsOf, WEBP, webpPath } from './media.ts'
import type { StoredMedia } from './media.ts'
import type { UploadedFile } from './read-form.ts'
import { transactionDeadline, untilAllEnd, type MediaStore } from './store.ts'

type StoreContext = Pick<CatalogContext, 'db' | 'clock' | 'media' | 'publicUrl'>

export type Uploaded = Media & { duplicate: boolean }

interface Upload extends UploadedFile {
  id: string
}

/** A picture that existed when the upload began was deleted. */
class GoneMeanwhile extends Error {}

/**
 * Stores uploaded pictures, all or none: first the files and then the rows, so that a crash can leave only files
 * without a row. A picture that already exists is not encoded again.
 * @param encoding the queue of the encoder
 * @returns a picture for each file, in the same order
 */
export async function storePictures(
  context: StoreContext,
  { files, actor, encoding }: { files: readonly UploadedFile[]; actor: Actor; encoding: ConcurrencyLimit },
): Promise<Uploaded[]> {
  const uploads = files.map((file) => ({ ...file, id: mediaIdOf(file.bytes) }))
  const pictures = new Map<string, EncodedPicture>()
  const store = async (kept: ReadonlySet<string>) => {
    await encodeMissing({ uploads, kept, pictures, encoding })
    for (const [id, picture] of pictures) await putFiles(context.media, id, picture)
    return transaction(context.db, (tx) => addRows(tx, { uploads, pictures, actor, context }))
  }
  try {
    // Checked first, so that nothing is written while the database is unreachable.
    return await store(await keptIn(context, uploads))
  } catch (error) {
    if (!(error instanceof GoneMeanwhile)) throw error
    // Every picture is encoded again, so that none can be missing.
    return store(new Set())
  }
}

/** Ids of uploads that have their row and all of their files. */
async function keptIn({ db, media }: StoreContext, uploads: readonly Upload[]): Promise<Set<string>> {
  const known = await findMedia(db, [...new Set(uploads.map(({ id }) => id))])
  const complete = await Promise.all(known.map((row) => isComplete(media, row.id, pathsOf(row))))
  return new Set(known.filter((_row, index) => complete[index]).map(({ id }) => id))
}

/** Whether a store has every file of an upload. */
export async function isComplete(
  media: MediaStore,
  id: string,
  paths: readonly string[],
  signal?: AbortSignal,
): Promise<boolean> {
  const there = new Set<string>()
  for await (const { path } of media.list(folderOf(id), signal)) there.add(path)
  return paths.every((path) => there.has(path))
}

async function encodeMissing({
  uploads,
  kept,
  pictures,
  encoding,
}: {
  uploads: readonly Upload[]
  kept: ReadonlySet<string>
  pictures: Map<string, EncodedPicture>
  encoding: ConcurrencyLimit
}): Promise<void> {
  const issues: Issue[] = []
  for (const [index, { id, bytes }] of uploads.entries()) {
    if (kept.has(id) || pictures.has(id)) continue
    try {
      pictures.set(id, await encoding(() => encodePicture(bytes)))
    } catch (error) {
      if (!(error instanceof UnusablePicture)) throw error
      issues.push({ path: `file.${index}`, message: error.message })
    }
  }
  if (issues.length > 0) throw mediaRejected(issues)
}

export async function putFiles(
  media: MediaStore,
  id: string,
  { sizes, jpeg }: EncodedPicture,
  signal?: AbortSignal,
): Promise<void> {
  const largest = Math.max(...sizes.map(({ width }) => width))
  await untilAllEnd([
    ...sizes.map(({ width, content }) => media.put(webpPath(id, width), content, WEBP, signal)),
    media.put(jpegPath(id, largest), jpeg, JPEG, signal),
  ])
}

async function addRows(
  tx: Tx,
  {
    uploads,
    pictures,
    actor,
    context,
  }: { uploads: readonly Upload[]; pictures: ReadonlyMap<string, EncodedPicture>; actor: Actor; context: StoreContext },
): Promise<Uploaded[]> {
  const ids = uploads.map(({ id }) => id)
  await lockMedia(tx, ids)
  const rows = new Map((await findMedia(tx, ids)).map((row) => [row.id, row]))
  const results: Uploaded[] = []
  for (const upload of uploads) {
    const known = rows.get(upload.id)
    const row = known
      ? await withAlt(tx, known, { upload, actor, context })
      : await addRow(tx, upload, { picture: pictures.get(upload.id), actor, context })
    rows.set(row.id, row)
    results.push({ ...mediaResponse(row, context.publicUrl), duplicate: known !== undefined })
  }
  return results
}

async function addRow(
  tx: Tx,
  { id, name, alt = null }: { id: string; name: string; alt?: string | null | undefined },
  { picture, actor, context }: { picture: EncodedPicture | undefined; actor: Actor; context: StoreContext },
): Promise<StoredMedia> {
  if (!picture) throw new GoneMeanwhile()
  const sizes = picture.sizes.map(({ width, height, content }) => ({ width, height, bytes: content.length }))
  // A concurrent deletion or sweep removes files of the same picture only under the lock that is held here.
  const signal = transactionDeadline()
  const isWhole = await isComplete(context.media, id, pathsOf({ id, sizes }), signal)
  if (!isWhole) await putFiles(context.media, id, picture, signal)
  const row = { id, name, alt, sizes, jpegBytes: picture.jpeg.length, createdAt: context.clock.now(), focalPoint: null }
  await insertMedia(tx, row)
  await recordChange(tx, { actor, subject: { kind: 'media', id }, after: audited(row), at: row.createdAt })
  return row
}

/** A new text replaces the old one of an existing picture. */
async function withAlt(
  tx: Tx,
  row: StoredMedia,
  { upload: { alt }, actor, context }: { upload: Upload; actor: Actor; context: StoreContext },
): Promise<StoredMedia> {
  if (alt === undefined || alt === row.alt) return row
  const changed = { ...row, alt }
  await updateMedia(tx, changed)
  const [before, after, at] = [audited(row), audited(changed), context.clock.now()]
  await recordChange(tx, { actor, subject: { kind: 'media', id: row.id }, before, after, at })
  return changed
}

/** The fields of a picture that the audit records. */
export function audited({ name, alt, sizes, createdAt, focalPoint }: StoredMedia): Record<string, unknown> {
  const { width, height } = sizes.at(-1) ?? {}
  return { name, alt, width, height, focalPoint, createdAt: createdAt.toISOString() }
}
