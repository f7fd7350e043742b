import type common from './en/common.json'
import type bag from './en/bag.json'
import type home from './en/home.json'
import type list from './en/list.json'
import type information from './en/information.json'
import type offline from './en/offline.json'
import type search from './en/search.json'

/** All texts by their keys. */
export type Texts = typeof common &
  typeof bag &
  typeof home &
  typeof list &
  typeof search &
  typeof offline &
  typeof information
