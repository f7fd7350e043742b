import { SESSION } from './keys.ts'
import { read } from './storage.ts'

/** Saves files of a customer: a link cannot send the session, which only scripts know. */
export function saveFiles(): void {
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (link?.dataset['downloads'] === undefined || read(SESSION) === null) return
    event.preventDefault()
    void download(link)
  })
}

async function download({ href, dataset }: HTMLAnchorElement): Promise<void> {
  const notice = document.getElementById('notice')
  try {
    const headers = { 'HX-Request': 'true', Authorization: `Bearer ${read(SESSION)}` }
    const response = await fetch(href, { headers })
    // The session has ended, and the shop has sent the page of the sign-in.
    if (response.redirected) location.href = response.url
    else if (response.ok) save(await response.blob())
    else if (notice) notice.textContent = await response.text()
  } catch {
    if (notice) notice.textContent = dataset['downloads'] ?? ''
  }
}

function save(file: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = 'my-data.json'
  link.click()
  // Later, because the browser has only begun to read it.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
