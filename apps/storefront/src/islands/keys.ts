/** The keys under which the browser stores its bag, its session and its wishlist. */
export const BAG = 'store.cart_id'
export const SESSION = 'store.session'
export const COUNT = 'store.bag_count'
export const WISHLIST = 'store.wishlist'
/** What was typed into the checkout, in the storage of the tab. It contains no secret. */
export const DRAFT = 'store.checkout'
/** When a customer signed out of this browser last, in milliseconds. */
export const LEFT = 'store.left'
/** The prices that were shown last, by line. */
export const SEEN = 'store.bag_seen'
