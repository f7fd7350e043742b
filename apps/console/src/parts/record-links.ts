/** Addresses of the pages of records. */
const addressIn =
  (screen: string) =>
  (id: string): string =>
    `/${screen}/${encodeURIComponent(id)}`

export const orderAddress = addressIn('orders')
export const productAddress = addressIn('products')
export const customerAddress = addressIn('customers')
/** The page of a person who has bought without an account. */
export const buyerAddress = addressIn('customers/buyers')
