import { BUYERS, type Device, type Item, type Step } from './actions.ts'

export interface KnownPage {
  /** The id of the payment session in the shop. */
  id: string
  url: string
}

export interface KnownBuyer {
  email: string
  cartIds: Partial<Record<Device, string>>
  /** Whether the phone sends the token of the customer. */
  isSignedIn: boolean
}

/** The actions of a run and their responses: the model with which the ledgers of the services are compared. */
export class History {
  /** Units that accepted requests have put into carts: each may be sold once, or stay in one cart. */
  readonly put: Record<Item, number> = { shirt: 0, socks: 0 }
  /** The changes of the stock by the merchant. */
  readonly stocked: Record<Item, number> = { shirt: 0, socks: 0 }
  readonly buyers: KnownBuyer[]
  readonly pages: KnownPage[] = []
  readonly orderIds: string[] = []
  /** Payments that the provider has reported and the shop has accepted: amounts in minor units, by reference. */
  readonly reported = new Map<string, { pageId: string; amountMinor: number }>()
  /** The refunds of the merchant that were accepted, by order, each with its own key. */
  readonly refunded = new Map<string, Set<string>>()
  /** Orders with refund requests of unknown outcome, because the shop could not reply. */
  readonly unknownRefunds = new Set<string>()
  /** Orders that a refund may have canceled without restocking the goods. */
  readonly keptGoods = new Set<string>()
  /** Stock operations that were accepted, which count once. */
  readonly operations = new Set<string>()
  /** Order ids that checkouts with one key returned. */
  readonly byKey = new Map<string, string>()
  /**
   * False from the first checkout on: until its event arrives, a cart still shows what was bought
   * (docs/decisions/0056), and loses it at any moment.
   */
  isExact = true
  /** The content of a cart, if only sequential requests have changed it since it was last read. */
  readonly contents = new Map<string, ReadonlyMap<Item, number>>()
  /** The steps that were run, without the actions that were not possible. */
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

  /** After this the contents of carts must be read again. */
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
