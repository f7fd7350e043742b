import escapeHtml from 'escape-html'
import { Liquid, type Context, type Emitter, type Template } from 'liquidjs'
import { textOf } from './words.ts'

/** More than the longest part that a configuration may hold. */
const MAX_TEMPLATE_LENGTH = 60_000
/**
 * Characters that one rendering may produce, intermediate results included: several times the longest sensible mail.
 */
const MAX_CHARACTERS = 500_000
/** Filters cannot be interrupted, and on a long list one of them takes seconds. An order has a hundred lines. */
const MAX_ITEMS = 10_000
/** A mail is rendered in a millisecond: a template that needs this long does not terminate. */
const RENDER_TIMEOUT_MS = 1000

/**
 * The tags and filters that a merchant may use. Left out are tags that read other templates or write values unescaped,
 * filters that let a value pass as HTML, and those with a different result every time: a mail that is sent again must
 * be the same mail.
 */
const TAGS = new Set(['assign', 'break', 'capture', 'case', 'comment', 'continue', 'for', 'if', 'raw', 'unless', '#'])
const FILTERS = new Set(
  [
    'abs at_least at_most ceil divided_by floor minus modulo plus round times',
    'append capitalize default downcase prepend remove remove_first replace replace_first upcase url_encode',
    'lstrip rstrip strip strip_html strip_newlines truncate truncatewords date',
    'concat compact first join last map reverse size slice sort split sum uniq where',
  ].flatMap((names) => names.split(' ')),
)

function createEngine(outputEscape: (value: unknown) => string): Liquid {
  const engine = new Liquid({
    templates: {},
    strictFilters: true,
    ownPropertyOnly: true,
    outputEscape,
    parseLimit: MAX_TEMPLATE_LENGTH,
    memoryLimit: MAX_CHARACTERS,
    renderLimit: RENDER_TIMEOUT_MS,
    timezoneOffset: 0,
    locale: 'en-US',
  })
  for (const name of Object.keys(engine.tags)) if (!TAGS.has(name)) delete engine.tags[name]
  for (const name of Object.keys(engine.filters)) if (!FILTERS.has(name)) engine.unregisterFilter(name)
  const { date } = engine.filters
  if (typeof date === 'function') {
    engine.registerFilter('date', function (value: unknown, ...rest: unknown[]): unknown {
      return value === 'now' || value === 'today' ? '' : date.call(this, value, ...rest)
    })
  }
  // Values are escaped on output: an `escape` filter must not escape them twice.
  engine.registerFilter('escape', (value: unknown) => value)
  engine.registerFilter('newline_to_br', {
    raw: true,
    handler: (value: unknown) => outputEscape(value).replaceAll(/\r?\n/g, '<br />\n'),
  })
  rejectLongLists(engine)
  countWhatIsWritten(engine)
  return engine
}

function rejectLongLists(engine: Liquid): void {
  for (const [name, filter] of Object.entries(engine.filters)) {
    if (filter === undefined) continue
    const { handler, raw = false } = typeof filter === 'function' ? { handler: filter } : filter
    engine.registerFilter(name, {
      raw,
      handler(this: ThisParameterType<typeof handler>, ...given: Parameters<typeof handler>): unknown {
        if (given.some((value) => Array.isArray(value) && value.length > MAX_ITEMS))
          throw new Error(`uses a list of more than ${MAX_ITEMS} items`)
        return handler.apply(this, given)
      },
    })
  }
}

/**
 * Liquid limits the output of filters, but not what a template writes: a loop over a long text could fill the memory.
 */
function countWhatIsWritten({ renderer }: Liquid): void {
  const render = renderer.renderTemplates.bind(renderer)
  renderer.renderTemplates = (templates: Template[], context: Context, emitter?: Emitter) =>
    render(templates, context, emitter ?? countingEmitter(context))
}

function countingEmitter({ memoryLimit }: Context): Emitter {
  return {
    buffer: '',
    write(value: unknown) {
      const text = textOf(value)
      memoryLimit.use(text.length)
      this.buffer += text
    },
  }
}

const ENGINES = { html: createEngine((value) => escapeHtml(textOf(value))), text: createEngine(textOf) }

/** Parsing costs more than rendering; the caches hold the parts of all kinds, for a shop and for its drafts. */
const PARSED = { html: new Map<string, Template[]>(), text: new Map<string, Template[]>() }
const MAX_PARSED = 100

function parse(form: 'html' | 'text', template: string): Template[] {
  const parsed = PARSED[form]
  const known = parsed.get(template)
  if (known) return known
  const made = ENGINES[form].parse(template)
  if (parsed.size >= MAX_PARSED) parsed.clear()
  parsed.set(template, made)
  return made
}

/**
 * Renders one part of a merchant's template. Values are escaped where the part is HTML.
 * @throws Error when it cannot be parsed, or takes too much time or memory; its message names only the template
 */
export function renderLiquid(
  form: 'html' | 'text',
  template: string,
  variables: object,
  timeoutMs = RENDER_TIMEOUT_MS,
): string {
  const text: unknown = ENGINES[form].renderSync(parse(form, template), variables, { renderLimit: timeoutMs })
  return String(text)
}

/**
 * The same for one of our templates, which always terminates: without a time limit, so that a slow machine or a long
 * order cannot fail.
 */
export function renderDefault(form: 'html' | 'text', template: string, variables: object): string {
  const limits = { renderLimit: Number.MAX_SAFE_INTEGER, memoryLimit: Number.MAX_SAFE_INTEGER }
  const text: unknown = ENGINES[form].renderSync(parse(form, template), variables, limits)
  return String(text)
}
