/** Bytes that are made once, while any number of readers follow them from the start. */
export class FollowedBytes {
  readonly #chunks: Uint8Array[] = []
  /** Called when there is another chunk, or the end. */
  readonly #waiting = new Set<() => void>()
  #end: { error?: unknown } | undefined
  /** Resolves at the end, whether all bytes were made or not. */
  readonly ended: Promise<{ isWhole: boolean }>

  constructor(source: AsyncIterable<Uint8Array>) {
    this.ended = this.#follow(source)
  }

  async #follow(source: AsyncIterable<Uint8Array>): Promise<{ isWhole: boolean }> {
    try {
      for await (const chunk of source) {
        this.#chunks.push(chunk)
        this.#wake()
      }
      this.#end = {}
      return { isWhole: true }
    } catch (error) {
      this.#end = { error }
      return { isWhole: false }
    } finally {
      this.#wake()
    }
  }

  #wake(): void {
    for (const resume of this.#waiting) resume()
    this.#waiting.clear()
  }

  /** @throws what the source threw, after the chunks that it had made */
  async *read(): AsyncGenerator<Uint8Array> {
    for (let at = 0; ; at++) {
      while (at >= this.#chunks.length && this.#end === undefined) {
        await new Promise<void>((resolve) => {
          this.#waiting.add(resolve)
        })
      }
      const chunk = this.#chunks[at]
      if (chunk) yield chunk
      else if (this.#end && 'error' in this.#end) throw this.#end.error
      else return
    }
  }
}
