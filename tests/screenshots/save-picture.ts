import { writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Page } from 'playwright-core'
import sharp from 'sharp'

const QUALITY = 70

/** Writes what a page shows as WebP. */
export async function savePicture(page: Page, path: string): Promise<void> {
  await page.evaluate('document.fonts.ready.then(() => {})')
  await writeFile(
    path,
    await sharp(await page.screenshot())
      .webp({ quality: QUALITY })
      .toBuffer(),
  )
  process.stdout.write(`${basename(path)}\n`)
}
