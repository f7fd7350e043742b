import type account from './en/account.json'
import type bag from './en/bag.json'
import type common from './en/common.json'
import type confirmations from './en/confirmations.json'
import type home from './en/home.json'
import type newsletter from './en/newsletter.json'
import type product from './en/product.json'
import type wishlist from './en/wishlist.json'

/** All texts by their keys. */
export type Texts = typeof account &
  typeof bag &
  typeof common &
  typeof confirmations &
  typeof home &
  typeof newsletter &
  typeof product &
  typeof wishlist
