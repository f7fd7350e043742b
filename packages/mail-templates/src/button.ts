import escapeHtml from 'escape-html'

/** Large enough for a finger, and still a link where a mail program does not support styles. */
export const BUTTON_STYLE =
  'display:inline-block;padding:12px 24px;border-radius:4px;background:#1a1a1a;color:#ffffff;text-decoration:none;'

/** @param label of the button; like the address, it is escaped here */
export const buttonTo = (url: string, label: string) =>
  `<p style="margin:24px 0;"><a class="button" href="${escapeHtml(url)}" style="${BUTTON_STYLE}">${escapeHtml(label)}</a></p>`
