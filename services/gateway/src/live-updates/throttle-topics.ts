import type { ConsoleTopic } from '@storefront/contracts'

/**
 * Passes on each topic at once, but only once per pause: changes within the pause are passed on together, at its end.
 */
export function throttleTopics(send: (topic: ConsoleTopic) => void, pauseMs: number) {
  const pauses = new Map<ConsoleTopic, { again: boolean; end: NodeJS.Timeout }>()

  /** Passes the topic on now, or at the end of its pause. */
  function changed(topic: ConsoleTopic): void {
    const running = pauses.get(topic)
    if (running) {
      running.again = true
      return
    }
    const pause = { again: false, end: setTimeout(endPause, pauseMs).unref() }
    pauses.set(topic, pause)
    send(topic)

    function endPause(): void {
      pauses.delete(topic)
      if (pause.again) changed(topic)
    }
  }

  return {
    changed,
    /** The topics that were passed on within the last pause. */
    recent: () => [...pauses.keys()],
    stop() {
      for (const { end } of pauses.values()) clearTimeout(end)
      pauses.clear()
    },
  }
}
