/** The first word of everything this shop calls its own in servers that it may share with others. */
export const shopNamespace = 'shop'
