/** Prefix of the names of the shop's database, roles, streams and keys, on servers that it may share with others. */
export const shopNamespace = 'shop'
