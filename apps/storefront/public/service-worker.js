// Shows pages that were seen when there is no network, or a slow one.

const OFFLINE = 'offline-1'
const PAGES = 'pages-1'
const FILES = 'files-1'
const MAX_PAGES = 40
const MAX_FILES = 30
/** If the network is slower than this, a page that was seen before is shown, and the request continues. */
const SLOW_MS = 4000
/** What belongs to one shopper is never kept. */
const PRIVATE = /^\/(?:cart|bag|checkout|account|orders?|wishlist|alerts|newsletter|api)(?:\/|$)/

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(OFFLINE).then((cache) => cache.add('/offline')))
  self.skipWaiting()
})

self.addEventListener('activate', (event) => {
  event.waitUntil(claimPages())
})

async function claimPages() {
  const names = await caches.keys()
  await Promise.all(names.filter((name) => ![OFFLINE, PAGES, FILES].includes(name)).map((name) => caches.delete(name)))
  // The browser requests a page at once, and does not wait until this script runs.
  await self.registration.navigationPreload?.enable()
  await self.clients.claim()
}

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin) return
  if (request.mode === 'navigate') event.respondWith(pageFor(event, pathname))
  else if (pathname.startsWith('/assets/')) event.respondWith(fileFor(event))
})

async function pageFor(event, pathname) {
  const network = load(event)
  if (PRIVATE.test(pathname)) return network.catch(offlinePage)
  const cache = await caches.open(PAGES)
  const seen = await cache.match(event.request)
  event.waitUntil(network.then((response) => keepPage(cache, event.request, response.clone())).catch(() => {}))
  if (!seen) return network.catch(offlinePage)
  const slow = new Promise((resolve) => setTimeout(resolve, SLOW_MS, seen))
  return Promise.race([network, slow]).catch(() => seen)
}

async function load(event) {
  return (await event.preloadResponse) ?? fetch(event.request)
}

/** Pages of one shopper are not public, whatever their address is. */
async function keepPage(cache, request, response) {
  const isPublic = response.headers.get('cache-control')?.includes('public')
  if (response.ok && response.type === 'basic' && isPublic) await keep(cache, request, response, MAX_PAGES)
}

async function offlinePage() {
  return (await caches.match('/offline')) ?? Response.error()
}

/** Files have hashes in their names: what was kept is right. */
async function fileFor(event) {
  const cache = await caches.open(FILES)
  const kept = await cache.match(event.request)
  if (kept) return kept
  const response = await fetch(event.request)
  if (response.ok) event.waitUntil(keep(cache, event.request, response.clone(), MAX_FILES))
  return response
}

async function keep(cache, request, response, most) {
  // What was seen last is at the end of the list.
  await cache.delete(request)
  await cache.put(request, response)
  const requests = await cache.keys()
  await Promise.all(requests.slice(0, Math.max(0, requests.length - most)).map((old) => cache.delete(old)))
}
