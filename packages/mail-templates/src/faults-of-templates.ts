import { setImmediate } from 'node:timers/promises'
import type { MailTemplate } from '@storefront/contracts'
import { MailKind } from './mail-kind.ts'
import {
  EMPTY_MESSAGE,
  isAccountMail,
  isAlertMail,
  renderAccountMail,
  renderAlertMail,
  renderOrderMail,
  TEMPLATE_PARTS,
  type RenderedMail,
} from './render-mail.ts'
import { sampleAccountData, sampleAlertData, sampleOrderData, sparseAlertData, sparseOrderData } from './sample-data.ts'

interface TemplateIssue {
  /** Such as `shipped.html`. */
  path: string
  message: string
}

/** All parts together. */
const BUDGET_MS = 1000
/** One part alone: other requests are blocked meanwhile. */
const PART_MS = 150

/**
 * Checks a merchant's templates: each is rendered with a complete sample and with a minimal one. The event loop runs
 * between them.
 */
export async function faultsOfTemplates(templates: Readonly<Record<string, MailTemplate>>): Promise<TemplateIssue[]> {
  const started = performance.now()
  const issues: TemplateIssue[] = []
  for (const [name, template] of Object.entries(templates)) {
    const kind = MailKind.safeParse(name)
    if (!kind.success) {
      issues.push({ path: name, message: `must be one of ${MailKind.options.join(', ')}` })
      continue
    }
    const leftMs = BUDGET_MS - (performance.now() - started)
    if (leftMs <= 0)
      issues.push({ path: name, message: 'takes too long to be rendered, together with the templates before it' })
    else issues.push(...(await faultsOf(kind.data, template, leftMs)))
  }
  return issues
}

async function faultsOf(kind: MailKind, template: MailTemplate, timeoutMs: number): Promise<TemplateIssue[]> {
  // Each part is rendered with two samples.
  const eachMs = Math.min(PART_MS, timeoutMs / (2 * TEMPLATE_PARTS.length))
  const full = tryWith(kind, template, 'full', eachMs)
  await setImmediate()
  const sparse = tryWith(kind, template, 'sparse', eachMs)
  await setImmediate()
  // A part may be about something that the order lacks, and render empty: our template is then used instead.
  const lacking = sparse.fellBack.filter(({ message }) => message !== EMPTY_MESSAGE)
  const faults = new Map([...lacking, ...full.fellBack].map(({ part, message }) => [part, message]))
  if (/[\r\n]/.test(template.subject ?? '')) faults.set('subject', 'must be one line')
  return TEMPLATE_PARTS.flatMap((part) => {
    const message = faults.get(part)
    return message === undefined ? [] : [{ path: `${kind}.${part}`, message }]
  })
}

function tryWith(kind: MailKind, template: MailTemplate, sample: 'full' | 'sparse', timeoutMs: number): RenderedMail {
  const isFull = sample === 'full'
  const address = isFull ? '12 Analytical Row\nLondon W1 1AA' : undefined
  const shop = {
    name: 'Shop',
    address,
    publicUrl: 'https://shop.example',
    locale: 'en-US',
    templates: { [kind]: template },
  }
  const given = { locale: 'en-US', currency: 'USD' }
  if (isAlertMail(kind)) {
    const data = isFull ? sampleAlertData(kind, given) : sparseAlertData(given)
    return renderAlertMail(kind, data, shop, timeoutMs)
  }
  if (isAccountMail(kind)) return renderAccountMail(kind, isFull ? sampleAccountData() : {}, shop, timeoutMs)
  return renderOrderMail(kind, isFull ? sampleOrderData(given) : sparseOrderData(given), shop, timeoutMs)
}
