import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { waitFor } from '@storefront/service/testing'
import { copyPictures } from './copy-pictures.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'storefront-pictures-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function upload(name: string): Promise<void> {
  await mkdir(join(folder, 'media', name), { recursive: true })
  for (const file of ['320.webp', '320.jpg']) await writeFile(join(folder, 'media', name, file), name)
}

test('pictures that are deleted while they are copied are left out', async () => {
  const names = Array.from({ length: 200 }, (_, index) => `med_${index}`)
  for (const name of names) await upload(name)
  const [from, to] = [join(folder, 'media'), join(folder, 'copy')]
  const listed = await readdir(from)
  const copying = copyPictures(from, to)
  await waitFor('the first picture', () => existsSync(join(to, listed[0] ?? '')))
  // From the end, because the copy has listed them, and begins at the front.
  for (const name of listed.slice(1).toReversed()) await rm(join(from, name), { recursive: true })
  await copying
  const copied = await readdir(to)
  expect(copied).toContain(listed[0])
  expect(copied.length).toBeLessThan(names.length)
})

test('temporary files are left out, and other failures are errors', async () => {
  await upload('med_1')
  await writeFile(join(folder, 'media', 'med_1', '.640.webp.0c5d'), 'half')
  await copyPictures(join(folder, 'media'), join(folder, 'copy'))
  expect(await readdir(join(folder, 'copy', 'med_1'))).toEqual(['320.jpg', '320.webp'])
  await expect(copyPictures(join(folder, 'media'), join(folder, 'copy'))).rejects.toThrow('EEXIST')
})
