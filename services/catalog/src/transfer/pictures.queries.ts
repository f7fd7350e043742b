import { sql } from 'kysely'
import type { Database, Tx } from '../database.ts'
import type { StoredSize } from '../media/media.ts'

/** A picture on another server that a product of an import shows. */
export interface ImportPicture {
  url: string
  /** Its location in the file, for people. */
  path: string
}

/** The data of a picture in the shop's own store. */
export interface FetchedPicture {
  id: string
  width: number
  height: number
  /** The row of media to be written, if this import wrote the files. */
  stored?: { name: string; sizes: StoredSize[]; jpegBytes: number }
}

/** If two pictures have the same address, the first is stored. */
export async function insertPictures(
  db: Database,
  jobId: string,
  pictures: readonly (ImportPicture & { place: number })[],
): Promise<void> {
  if (pictures.length === 0) return
  await sql`
    insert into import_pictures (job_id, url, place, path)
    select ${jobId}, url, place, path
    from json_to_recordset(${JSON.stringify(pictures)}::json) as p (url text, place int, path text)
    on conflict do nothing`.execute(db)
}

/** Addresses of pictures that were not fetched yet, in the order of the file. */
export async function findOpenPictures(db: Database, jobId: string): Promise<string[]> {
  const { rows } = await sql<{ url: string }>`
    select url from import_pictures where job_id = ${jobId} and media is null and fault is null order by place`.execute(
    db,
  )
  return rows.map((row) => row.url)
}

export async function savePicture(
  tx: Tx,
  jobId: string,
  url: string,
  outcome: { media: FetchedPicture } | { fault: string },
): Promise<void> {
  const media = 'media' in outcome ? JSON.stringify(outcome.media) : null
  const fault = 'fault' in outcome ? outcome.fault : null
  await sql`
    update import_pictures set media = ${media}::jsonb, fault = ${fault}
    where job_id = ${jobId} and url = ${url}`.execute(tx)
}

export async function findFetchedPictures(
  db: Database,
  jobId: string,
  urls: readonly string[],
): Promise<Map<string, FetchedPicture>> {
  const { rows } = await sql<{ url: string; media: FetchedPicture }>`
    select url, media from import_pictures
    where job_id = ${jobId} and url = any(${urls}) and media is not null`.execute(db)
  return new Map(rows.map(({ url, media }) => [url, media]))
}

/** Whether an import will add the row of a picture whose files it wrote. */
export async function isImported(tx: Tx, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from import_pictures where media ->> 'id' = ${id} and media ? 'stored' limit 1`.execute(tx)
  return rows.length > 0
}

/**
 * Claims the fetching of a job's pictures for this process, unless another one does it.
 * @param staleBefore a process whose last heartbeat is older counts as dead
 * @returns whether this process has the claim
 */
export async function claimPictures(
  db: Database,
  jobId: string,
  { worker, now, staleBefore }: { worker: string; now: Date; staleBefore: Date },
): Promise<boolean> {
  const { rows } = await sql`
    update import_jobs set picture_worker = ${worker}, changed_at = ${now}
    where id = ${jobId} and status = 'fetching' and finished_at is null
      and (picture_worker is null or picture_worker = ${worker} or changed_at < ${staleBefore})
    returning id`.execute(db)
  return rows.length > 0
}

/** The number of pictures that are not in the shop's own store, because they were only checked or have been deleted. */
export async function countMissingPictures(tx: Tx, jobId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from import_pictures p where job_id = ${jobId} and not coalesce(media ? 'stored', false)
      and not exists (select 1 from media m where m.id = p.media ->> 'id')`.execute(tx)
  return rows[0]?.count ?? 0
}

export async function releasePictures(db: Database, jobId: string, worker: string): Promise<void> {
  await sql`
    update import_jobs set picture_worker = null where id = ${jobId} and picture_worker = ${worker}`.execute(db)
}

/**
 * The job that has waited longest for its pictures, without a request that waits for it or a process that fetches them.
 */
export async function findJobWithPictures(db: Database, staleBefore: Date): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from import_jobs
    where finished_at is null and not attended and status = 'fetching'
      and (picture_worker is null or changed_at < ${staleBefore})
    order by created_at, id limit 1`.execute(db)
  return rows[0]?.id
}

/** Writes the rows of media whose files an import wrote, except those that were uploaded meanwhile. */
export async function insertFetchedMedia(tx: Tx, jobId: string, now: Date): Promise<void> {
  await sql`
    insert into media (id, name, alt, sizes, jpeg_bytes, created_at)
    select distinct on (media ->> 'id') media ->> 'id', media -> 'stored' ->> 'name', null, media -> 'stored' -> 'sizes',
      (media -> 'stored' ->> 'jpegBytes')::int, ${now}
    from import_pictures where job_id = ${jobId} and media ? 'stored'
    order by media ->> 'id', place
    on conflict (id) do nothing`.execute(tx)
}
