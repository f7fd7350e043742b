import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { mkdir, open, readdir, realpath, rename, rm, rmdir, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import { errorCode } from '@storefront/service'
import type { MediaStore, StoredFile } from './store.ts'

/** An attempt fails when a concurrent removal of a file also removes the new, still empty folder. */
const WRITE_TRIES = 20

interface FolderStore extends MediaStore {
  /**
   * @returns the path of the file on this disk, for a reader that needs a path; undefined when there is no such file
   */
  locate(path: string): Promise<string | undefined>
}

/** Files in a folder, which several replicas of the service may share. */
export function openFolderStore(root: string): FolderStore {
  /** The real path must be the requested one, because a symbolic link may lead anywhere. */
  async function locate(path: string): Promise<string | undefined> {
    return unlessGone(async () => {
      const target = join(await realpath(root), path)
      return (await realpath(target)) === target ? target : undefined
    })
  }

  return {
    locate,
    async put(path, bytes) {
      await writeAgain(join(root, path), bytes, WRITE_TRIES)
    },
    async read(path) {
      return unlessGone(async () => {
        const target = await locate(path)
        if (target === undefined) return undefined
        await using file = await open(target, constants.O_RDONLY | constants.O_NOFOLLOW)
        return await file.readFile()
      })
    },
    async *list(prefix) {
      for (const path of await pathsBelow(root, prefix)) {
        const file = await unlessGone(() => fileAt(root, path))
        if (file) yield file
      }
    },
    async remove(path) {
      const target = join(root, path)
      await rm(target, { force: true })
      await rmdir(dirname(target)).catch(() => {})
    },
  }
}

/** Retries, because a concurrent removal of a folder's last file also removes the folder that was created here. */
async function writeAgain(target: string, bytes: Buffer, tries: number): Promise<void> {
  if (tries === 1) return write(target, bytes)
  const isWritten = await unlessGone(() => write(target, bytes).then(() => true))
  if (!isWritten) await writeAgain(target, bytes, tries - 1)
}

/** A partial file is never visible, because the file is renamed only when all of it is on the disk. */
async function write(target: string, bytes: Buffer): Promise<void> {
  const folder = dirname(target)
  await makeFolder(folder)
  const temporary = join(folder, `.${basename(target)}.${randomUUID()}`)
  try {
    {
      await using file = await open(temporary, 'wx')
      await file.writeFile(bytes)
      await file.sync()
    }
    await rename(temporary, target)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  await syncFolder(folder)
}

/** A new folder is durable only after its parent is synced, so all are synced up to the first existing one. */
async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true })
  if (first === undefined) return
  for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made))
}

async function syncFolder(path: string): Promise<void> {
  await using directory = await open(path, 'r')
  await directory.sync()
}

async function pathsBelow(root: string, prefix: string): Promise<string[]> {
  const entries = await unlessGone(() => readdir(join(root, prefix), { recursive: true, withFileTypes: true }))
  return (entries ?? [])
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
}

async function fileAt(root: string, path: string): Promise<StoredFile> {
  return { path, changedAt: (await stat(join(root, path))).mtime }
}

const GONE = new Set(['ENOENT', 'EISDIR', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG'])

/** @returns undefined when there is no such file or folder */
async function unlessGone<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work()
  } catch (error) {
    if (GONE.has(errorCode(error) ?? '')) return undefined
    throw error
  }
}
