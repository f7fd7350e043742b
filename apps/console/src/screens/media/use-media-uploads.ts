import { useState } from 'react'
import { inParallel } from '../../parts/in-parallel.ts'
import { uploadPicture, UPLOADS_AT_ONCE } from '../../parts/upload-picture.ts'
import { messageOf } from '../../shop.ts'
import { refreshMedia } from '../../parts/media-queries.ts'

export interface Upload {
  key: string
  name: string
  state: 'waiting' | 'running' | 'done' | 'duplicate' | 'failed'
  failure?: string
}

let started = 0

/** Uploads with the state of each file. */
export function useMediaUploads() {
  const [uploads, setUploads] = useState<readonly Upload[]>([])
  const change = (key: string, fields: Partial<Upload>): void =>
    setUploads((now) => now.map((each) => (each.key === key ? { ...each, ...fields } : each)))

  async function upload(files: readonly File[]): Promise<void> {
    const waiting = files.map((file) => {
      started += 1
      return { file, row: { key: String(started), name: file.name, state: 'waiting' as const } }
    })
    // Those before are of interest only as long as one of them is running.
    setUploads((now) => [...(now.some(isRunning) ? now : []), ...waiting.map(({ row }) => row)])
    await inParallel(waiting, UPLOADS_AT_ONCE, async ({ file, row: { key } }) => {
      change(key, { state: 'running' })
      try {
        const { duplicate } = await uploadPicture(file)
        change(key, { state: duplicate ? 'duplicate' : 'done' })
      } catch (error) {
        change(key, { state: 'failed', failure: messageOf(error) })
      }
      void refreshMedia()
    })
  }

  return {
    uploads,
    upload,
    /** Removes those that have ended. */
    clear: () => setUploads((now) => now.filter(isRunning)),
  }
}

function isRunning({ state }: Upload): boolean {
  return state === 'waiting' || state === 'running'
}
