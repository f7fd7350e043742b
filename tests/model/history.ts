import { BUYERS, type Item, type Place, type Step } from './actions.ts'

export interface KnownPage {
  /** The shop's name of the payment session. */
  id: string
  url: string
}

export interface KnownBuyer {
  email: string
  cartIds: Partial<Record<Place, string>>
  /** Whether the phone sends the customer's token. */
  isSignedIn: boolean
}

/** What a run has done and was told: the model that the ledgers of the services are compared with. */
export class History {
  /** Units that accepted requests have put into carts: each may be sold once, or wait in one cart. */
  readonly put: Record<Item, number> = { shirt: 0, socks: 0 }
  /** By how much the merchant has changed the stock. */
  readonly stocked: Record<Item, number> = { shirt: 0, socks: 0 }
  readonly buyers: KnownBuyer[]
  readonly pages: KnownPage[] = []
  readonly orderIds: string[] = []
  /** Payments that the provider has reported and the shop has accepted: amounts in minor units, by reference. */
  readonly reported = new Map<string, { pageId: string; amountMinor: number }>()
  /** Refunds of the merchant that were accepted, by order: keys of their own. */
  readonly refunded = new Map<string, Set<string>>()
  /** Requests whose outcome is not known, because the shop could not reply. */
  readonly unknownRefunds = new Set<string>()
  /** Orders that a refund may have cancelled without putting the goods back. */
  readonly keptGoods = new Set<string>()
  /** Operations of the stock that were accepted, which count once. */
  readonly operations = new Set<string>()
  /** Ids that checkouts with one key have replied with. */
  readonly byKey = new Map<string, string>()
  /**
   * False from the first checkout on: until its event arrives, a cart still shows what was bought (docs/decisions/0056), and loses it
   * at any moment.
   */
  isExact = true
  /** What a cart holds, where only sequential requests have touched it since it was last read. */
  readonly contents = new Map<string, ReadonlyMap<Item, number>>()
  /** The steps that were taken, without what was not possible in them. */
  readonly done: Step[] = []
  #keys = 0

  constructor(emails: readonly string[]) {
    this.buyers = Array.from({ length: BUYERS }, (_none, buyer) => ({
      email: emails[buyer] ?? '',
      cartIds: {},
      isSignedIn: false,
    }))
  }

  /** A key that no other request of this run has. */
  newKey(): string {
    return String(this.#keys++)
  }

  /** From here on the contents of carts have to be read again. */
  loseTrack(): void {
    this.contents.clear()
  }

  noteOrder(id: string): void {
    if (!this.orderIds.includes(id)) this.orderIds.push(id)
  }

  notePage(page: KnownPage): void {
    if (!this.pages.some(({ id }) => id === page.id)) this.pages.push(page)
  }

  noteRefund(orderId: string, key: string): void {
    this.refunded.set(orderId, (this.refunded.get(orderId) ?? new Set()).add(key))
  }
}
