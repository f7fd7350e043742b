import { notifications } from '@mantine/notifications'
import i18next, { t } from 'i18next'
import { errorSentence } from '../messages/error-sentence.ts'
import { BASE_PATH } from '../page-settings.ts'
import { fetchOfShop, messageOf } from '../shop.ts'
import { member, parsed } from './json.ts'
import { showNotice } from './notices.ts'

const BYTES_PER_MB = 1_000_000
/** A notice that changes more often cannot be read. */
const PROGRESS_EVERY_MS = 250

/**
 * Downloads a file of the shop with its progress in a notice, which stays when the person goes to another screen.
 * @param path below the shop's address, such as `/admin/orders/export`
 * @param what is downloaded, for the notice
 * @param type of the file, where the shop has several
 */
export async function noticeDownload(path: string, what: string, type?: string): Promise<void> {
  const id = showNotice({
    message: t('common.download.running', { what, size: megabytes(0) }),
    loading: true,
    autoClose: false,
    withCloseButton: false,
    role: 'status',
  })
  try {
    const request = new Request(`${location.origin}${BASE_PATH}${path}`, { headers: { accept: type ?? '*/*' } })
    const { name, file } = await download(request, (bytes) =>
      notifications.update({
        id,
        message: t('common.download.running', { what, size: megabytes(bytes) }),
        // A reader reads the beginning and the end, not each size between them.
        'aria-busy': true,
      }),
    )
    saveFile(name, file)
    notifications.update({
      id,
      message: t('common.download.done', { name, size: megabytes(file.size) }),
      color: 'teal',
      loading: false,
      'aria-busy': false,
      autoClose: 6000,
      withCloseButton: true,
    })
  } catch (error) {
    notifications.update({
      id,
      message: t('common.download.failed', { what, reason: messageOf(error) }),
      color: 'red',
      loading: false,
      'aria-busy': false,
      autoClose: false,
      withCloseButton: true,
      role: 'alert',
    })
  }
}

/** @throws Error with the shop's message, or when the connection breaks off: then the file is not complete */
async function download(request: Request, onProgress: (bytes: number) => void): Promise<{ name: string; file: Blob }> {
  const response = await fetchOfShop(request)
  if (!response.ok || !response.body) throw new Error(messageIn(await response.text()))
  const parts: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  let shownAt = performance.now()
  const reader = response.body.getReader()
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    parts.push(read.value)
    bytes += read.value.byteLength
    if (performance.now() - shownAt < PROGRESS_EVERY_MS) continue
    shownAt = performance.now()
    onProgress(bytes)
  }
  const type = response.headers.get('content-type') ?? 'application/octet-stream'
  return { name: nameIn(response.headers.get('content-disposition')), file: new Blob(parts, { type }) }
}

/** Gives a file to the browser, which keeps it. */
export function saveFile(name: string, file: Blob): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Later, because the browser has only begun to read it.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

function nameIn(disposition: string | null): string {
  return /filename="([^"]+)"/.exec(disposition ?? '')?.[1] ?? 'download'
}

/** @param text an error of the shop, or the error page of a proxy */
function messageIn(text: string): string {
  const body = parsed(text)
  const code = member(body, 'code')
  const message = member(body, 'message')
  return typeof code === 'string' && typeof message === 'string' ? errorSentence(code, message) : t('common.failed')
}

function megabytes(bytes: number): string {
  const format = new Intl.NumberFormat(i18next.language, {
    style: 'unit',
    unit: 'megabyte',
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  })
  return format.format(bytes / BYTES_PER_MB)
}
