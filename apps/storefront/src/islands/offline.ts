/** Pages that were seen stay readable without a network. Begins when the page is done, which matters more. */
export function keepPagesOffline(): void {
  if (!('serviceWorker' in navigator)) return
  const register = () => {
    // Private windows of some browsers reject it.
    navigator.serviceWorker.register('/service-worker.js').catch(() => {})
  }
  if (document.readyState === 'complete') register()
  else window.addEventListener('load', register, { once: true })
}
