import type account from './en/account.json'
import type bag from './en/bag.json'
import type checkout from './en/checkout.json'
import type common from './en/common.json'
import type confirmations from './en/confirmations.json'
import type home from './en/home.json'
import type information from './en/information.json'
import type list from './en/list.json'
import type newsletter from './en/newsletter.json'
import type offline from './en/offline.json'
import type product from './en/product.json'
import type search from './en/search.json'
import type order from './en/order.json'
import type wishlist from './en/wishlist.json'

/** All texts by their keys. */
export type Texts = typeof account &
  typeof bag &
  typeof checkout &
  typeof common &
  typeof confirmations &
  typeof home &
  typeof information &
  typeof list &
  typeof newsletter &
  typeof offline &
  typeof product &
  typeof search &
  typeof order &
  typeof wishlist
