/** Registers the service worker, which keeps pages readable without a network, after the page itself is loaded. */
export function keepPagesOffline(): void {
  if (!('serviceWorker' in navigator)) return
  const register = () => {
    // Private windows of some browsers reject it.
    navigator.serviceWorker.register('/service-worker.js').catch(() => {})
  }
  if (document.readyState === 'complete') register()
  else window.addEventListener('load', register, { once: true })
}
