import type { Locator, Page } from 'playwright-core'

interface Point {
  x: number
  y: number
}

/** A place in an element, in shares of its size. */
export async function pointIn(element: Locator, across = 0.5, down = 0.5): Promise<Point> {
  const box = await element.boundingBox()
  if (!box) throw new Error(`${String(element)} is not shown`)
  return { x: box.x + box.width * across, y: box.y + box.height * down }
}

const STEPS = 8

/** A finger that touches the screen, moves, and leaves it, in a window of a device with touch. */
export async function swipe(page: Page, from: Point, to: Point): Promise<void> {
  const device = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: Point[]) =>
    device.send('Input.dispatchTouchEvent', { type, touchPoints })
  await touch('touchStart', [from])
  for (let step = 1; step <= STEPS; step++) {
    const share = step / STEPS
    await touch('touchMove', [{ x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share }])
  }
  await touch('touchEnd', [])
  await device.detach()
}
