/**
 * Attributes of a form that is sent by itself, or with its page where scripts are off. The second click of a double click
 * sends nothing: it would report that a link was used, or send a mail twice.
 */
export function sentOnce(action: string) {
  return { method: 'post', action, 'hx-post': action, 'hx-sync': 'this:drop' }
}
