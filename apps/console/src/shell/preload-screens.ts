import type { QueryClient } from '@tanstack/react-query'
import type { AnyRouter } from '@tanstack/react-router'
import { member } from '../parts/json.ts'

const PAUSE_MS = 250

interface PreloadOptions {
  router: AnyRouter
  queryClient: QueryClient
  /** Addresses of the screens that a person is likely to open next: each has some thirty files, and requests are limited. */
  paths: readonly string[]
}

/**
 * Loads the code of screens while nothing else is being loaded, so that they open at once. A browser that saves data
 * loads the code of a screen when it is opened.
 * @returns a function that stops the loading
 */
export function preloadScreens({ router, queryClient, paths }: PreloadOptions): () => void {
  let ended = false

  async function load(): Promise<void> {
    for (const path of paths) {
      do await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
      while (!ended && (queryClient.isFetching() > 0 || router.state.status === 'pending'))
      if (ended) return
      // A failure is not shown now: the screen shows it when it is opened.
      await router.loadRouteChunk(router.routesByPath[path])?.catch(() => {})
    }
  }

  if (!savesData()) void load()
  return () => {
    ended = true
  }
}

/** Whether the browser is set to save data; Firefox and Safari do not report it. */
function savesData(): boolean {
  return member(member(navigator, 'connection'), 'saveData') === true
}
