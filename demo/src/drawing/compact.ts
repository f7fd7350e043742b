/** Writes the same drawing in fewer bytes: neighboring lines of one style become one, and numbers lose idle spaces. */
export function compact(markup: string): string {
  const tight = markup.replaceAll(/ d="([^"]*)"/g, (_, d: string) => ` d="${d.replaceAll(' -', '-')}"`)
  let merged = ''
  let [pendingD, pendingStyle] = ['', '']
  const flush = (): void => {
    if (pendingD !== '') merged += `<path d="${pendingD}"${pendingStyle}/>`
    pendingD = ''
  }
  for (const part of tight.split(/(<path d="[^"]*"[^>]*\/>)/)) {
    if (part === '') continue
    const [, d, style] = /^<path d="([^"]*)"([^>]*)\/>$/.exec(part) ?? []
    if (d === undefined || style === undefined || !style.includes('fill="none"')) {
      flush()
      merged += part
    } else if (pendingD !== '' && style === pendingStyle) pendingD += d
    else {
      flush()
      pendingD = d
      pendingStyle = style
    }
  }
  flush()
  return merged
}
