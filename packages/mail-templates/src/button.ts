/** Large enough for a finger, and a link still where a mail program knows no styles. */
export const BUTTON_STYLE =
  'display:inline-block;padding:12px 24px;border-radius:4px;background:#1a1a1a;color:#ffffff;text-decoration:none;'
