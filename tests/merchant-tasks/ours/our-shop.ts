import type { RunningShop } from '@storefront/tools/launch'
import type { TestClient } from '../../support/test-client.ts'
import type { Hand } from '../hand.ts'

export interface OurShop {
  shop: RunningShop
  admin: TestClient
}

export async function signIn({ shop }: OurShop, hand: Hand): Promise<void> {
  const { page } = hand
  const credentials = { user: shop.adminEmail, password: shop.adminPassword }
  await hand.signIn(page.getByLabel('Email'), page.getByLabel('Password', { exact: true }), credentials)
}

/** Opens a screen from the menu. */
export async function openScreen(hand: Hand, name: string): Promise<void> {
  const menu = hand.page.getByRole('navigation', { name: 'Menu' })
  await hand.click(menu.getByRole('link', { name, exact: true }))
}
