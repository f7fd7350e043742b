import { describe, expect, test } from 'vitest'
import { demoPictures, demoShop } from './index.ts'

const shop = demoShop({ now: new Date('2026-11-21T09:30:00Z') })
const pictures = new Map([...demoPictures()].map(({ path, svg }) => [path, svg]))

const referenced = new Set(
  [
    ...shop.products.flatMap((product) => product.images),
    ...shop.categories.map((category) => category.image),
    ...shop.collections.map((collection) => collection.image),
    ...shop.settings.home.flatMap((section) => (section.image === undefined ? [] : [section.image])),
  ].map(({ url, alt }) => {
    expect(alt.trim()).not.toBe('')
    expect(url.startsWith('/media/')).toBe(true)
    return url.slice('/media/'.length)
  }),
)

/** Checks nesting and attributes; the pictures use no comments, text or CDATA. */
function isWellFormed(svg: string): boolean {
  const open: string[] = []
  let rest = svg.trim()
  while (rest !== '') {
    const tag = /^<(\/?)([a-zA-Z]+)((?:\s+[a-zA-Z0-9:-]+="[^"<&]*")*)\s*(\/?)>/.exec(rest)
    if (tag === null) return false
    const [whole, closing, name = '', , selfClosing] = tag
    if (closing === '/') {
      if (open.pop() !== name) return false
    } else if (selfClosing !== '/') open.push(name)
    rest = rest.slice(whole.length).trimStart()
  }
  return open.length === 0
}

describe('the pictures', () => {
  test('are exactly those that the shop refers to', () => {
    expect([...pictures.keys()].toSorted()).toEqual([...referenced].toSorted())
  })

  test('show every color twice', () => {
    for (const product of shop.products) {
      for (const color of Object.keys(product.swatches)) {
        expect(product.images.filter((image) => image.color === color)).toHaveLength(2)
      }
    }
  })

  test('are well-formed SVG of 1200 by 1500 below 12 KB, with no script, text or outside reference', () => {
    for (const [path, svg] of pictures) {
      expect(path).toMatch(/^demo\/[a-z0-9-]+\.svg$/)
      expect(Buffer.byteLength(svg), path).toBeLessThan(12_000)
      expect(isWellFormed(svg), path).toBe(true)
      expect(svg.startsWith('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 1500"')).toBe(true)
      expect(svg).not.toMatch(/<script|<text|<style|<image|NaN|undefined|href="[^#]|url\([^#]/)
    }
  })

  test('define everything they use', () => {
    for (const [path, svg] of pictures) {
      const ids = new Set([...svg.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
      for (const [, id] of svg.matchAll(/(?:href="#|url\(#)([^")]+)/g)) expect(ids, path).toContain(id)
    }
  })
})
