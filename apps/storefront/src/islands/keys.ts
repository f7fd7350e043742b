/** The keys of the storage in which the browser keeps its bag, its session and its wishlist. */
export const BAG = 'store.cart_id'
export const SESSION = 'store.session'
export const COUNT = 'store.bag_count'
export const WISHLIST = 'store.wishlist'
/** The prices that were shown last, by line. */
export const SEEN = 'store.bag_seen'
