/** HTML that is safe to put into HTML as it is. */
export interface Html {
  readonly html: string
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}

/** Builds HTML from a template. Text is escaped; only what is Html already, or a list of it, goes in as it is. */
export function html(
  parts: TemplateStringsArray,
  ...values: readonly (string | number | Html | readonly Html[])[]
): Html {
  const text = parts.map((part, index) => part + (index < values.length ? asHtml(values[index] ?? '') : ''))
  return { html: text.join('') }
}

function asHtml(value: string | number | Html | readonly Html[]): string {
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value))
  return 'html' in value ? value.html : value.map((item) => item.html).join('')
}
