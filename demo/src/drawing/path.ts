/** Outlines are written as one half, right of the centre line (x = 0), top to bottom; the other half is mirrored. */

interface Segment {
  command: 'L' | 'C' | 'Q'
  points: [number, number][]
}

export const round = (value: number): number => Math.round(value)

function parse(half: string): { start: [number, number]; segments: Segment[] } {
  const segments: Segment[] = []
  let start: [number, number] = [0, 0]
  for (const [, command, rest] of half.matchAll(/([MLCQ])([^MLCQ]*)/g)) {
    const numbers = (rest ?? '').match(/-?[\d.]+/g)?.map(Number) ?? []
    const points: [number, number][] = []
    for (let index = 0; index < numbers.length; index += 2) points.push([numbers[index] ?? 0, numbers[index + 1] ?? 0])
    if (command === 'M') start = points[0] ?? start
    else if (command === 'L' || command === 'C' || command === 'Q') segments.push({ command, points })
  }
  return { start, segments }
}

const written = (points: readonly [number, number][], sign: 1 | -1): string =>
  points.map(([x, y]) => `${round(x * sign)} ${round(y)}`).join(' ')

/** Closes a half outline with its mirror image. */
export function mirrored(half: string): string {
  const { start, segments } = parse(half)
  const there = segments.map((segment) => segment.command + written(segment.points, 1)).join('')
  const ends = [start, ...segments.map((segment) => segment.points.at(-1) ?? start)]
  const back = segments
    .map((segment, index) => {
      const controls = segment.points.slice(0, -1).toReversed()
      return segment.command + written([...controls, ends[index] ?? start], -1)
    })
    .toReversed()
    .join('')
  const last = ends.at(-1) ?? start
  const across = last[0] === 0 ? '' : `L${written([last], -1)}`
  return `M${written([start], 1)}${there}${across}${back}Z`
}

/** An open line from the far left end of a half curve, through the centre, to its right end. */
export function acrossCentre(half: string): string {
  const { start, segments } = parse(half)
  const ends = [start, ...segments.map((segment) => segment.points.at(-1) ?? start)]
  const left = segments
    .map((segment, index) => {
      const controls = segment.points.slice(0, -1).toReversed()
      return segment.command + written([...controls, ends[index] ?? start], -1)
    })
    .toReversed()
    .join('')
  const right = segments.map((segment) => segment.command + written(segment.points, 1)).join('')
  return `M${written([ends.at(-1) ?? start], -1)}${left}${right}`
}

/** The same outline on the other side of the centre line. */
export function flipped(path: string): string {
  const { start, segments } = parse(path)
  const rest = segments.map((segment) => segment.command + written(segment.points, -1)).join('')
  return `M${written([start], -1)}${rest}${path.trimEnd().endsWith('Z') ? 'Z' : ''}`
}

/** Writes a path from a template with whole numbers. */
export function path(parts: TemplateStringsArray, ...values: number[]): string {
  return parts.map((part, index) => part + (index < values.length ? String(round(values[index] ?? 0)) : '')).join('')
}
