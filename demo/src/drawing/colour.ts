/** Color arithmetic on #rrggbb strings: every tint in a picture is computed from the cloth's own colour. */

function channels(hex: string): [number, number, number] {
  const at = (index: number): number => Number.parseInt(hex.slice(index, index + 2), 16)
  return [at(1), at(3), at(5)]
}

export function mix(from: string, to: string, share: number): string {
  const a = channels(from)
  const b = channels(to)
  const blend = (x: number, y: number): string =>
    Math.round(x + (y - x) * share)
      .toString(16)
      .padStart(2, '0')
  return `#${blend(a[0], b[0])}${blend(a[1], b[1])}${blend(a[2], b[2])}`
}

export const darker = (hex: string, share: number): string => mix(hex, '#12100f', share)

export const lighter = (hex: string, share: number): string => mix(hex, '#ffffff', share)

/** Perceived lightness from 0 (black) to 1 (white). */
export function lightness(hex: string): number {
  const [red, green, blue] = channels(hex)
  return (red * 0.299 + green * 0.587 + blue * 0.114) / 255
}

/** The color of seams and outlines: darker than the cloth, except on near-black cloth, where only lighter shows. */
export function seamColour(hex: string): string {
  const light = lightness(hex)
  if (light < 0.22) return lighter(hex, 0.26)
  return darker(hex, light > 0.8 ? 0.3 : 0.38)
}
