/** What the shop requires for deeds that an open session alone must not do. */
export interface Proof {
  currentPassword?: string
  code?: string
}
