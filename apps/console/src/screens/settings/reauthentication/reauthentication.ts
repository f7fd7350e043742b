/** What the shop requires for actions for which an open session is not enough. */
export interface Reauthentication {
  currentPassword?: string
  code?: string
}
