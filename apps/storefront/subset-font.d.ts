declare module 'subset-font' {
  /** @returns the font with these characters and the glyphs that they need */
  export default function subsetFont(
    font: Buffer,
    characters: string,
    options: { targetFormat: 'woff2'; variationAxes: Readonly<Record<string, { min: number; max: number }>> },
  ): Promise<Buffer>
}
