/** Large enough for a finger, and still a link where a mail program does not support styles. */
export const BUTTON_STYLE =
  'display:inline-block;padding:12px 24px;border-radius:4px;background:#1a1a1a;color:#ffffff;text-decoration:none;'
