import { z } from 'zod'
import type { Hand } from '../hand.ts'
import { GraphqlClient } from './graphql-client.ts'

export interface VendureShop {
  url: string
  credentials: { user: string; password: string }
  admin: GraphqlClient
  /** A new buyer. */
  buyer: () => GraphqlClient
}

const SignedIn = z.object({ login: z.object({ __typename: z.literal('CurrentUser') }) })

export async function connect(url: string, credentials: VendureShop['credentials']): Promise<VendureShop> {
  const admin = new GraphqlClient(`${url}/admin-api`)
  const signIn =
    'mutation ($user: String!, $password: String!) { login(username: $user, password: $password) { __typename } }'
  await admin.send(SignedIn, signIn, credentials)
  return { url, credentials, admin, buyer: () => new GraphqlClient(`${url}/shop-api`) }
}

/** The sign-in page of Vendure puts the focus nowhere. */
export async function signIn({ credentials }: VendureShop, hand: Hand): Promise<void> {
  const { page } = hand
  const user = page.getByPlaceholder('Email')
  await hand.click(user)
  await hand.signIn(user, page.getByPlaceholder('Password'), credentials)
}

/** Opens a screen from the menu, whose sections are closed after the sign-in. */
export async function openScreen(hand: Hand, section: string, name: string): Promise<void> {
  const { page } = hand
  await hand.click(page.getByRole('button', { name: section, exact: true }))
  await hand.click(page.getByRole('link', { name, exact: true }))
}
