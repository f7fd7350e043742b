import { AccountMailKind, AlertMailKind, type OrderMailKind } from '@storefront/contracts'
import { accountFrame, englishHtml, nameInGreeting } from './account-page.ts'
import { ACCOUNT_TEMPLATES, BUTTONS } from './account-templates.ts'
import { alertParts, alertVariables } from './alert-page.ts'
import { ALERT_TEMPLATES } from './alert-templates.ts'
import { renderDefault, renderLiquid } from './engine.ts'
import { pageOf } from './layout.ts'
import { isEnglish, usableLocale } from './locale.ts'
import type { AccountMailData, AlertMailSource, OrderMailSource } from './mail-data.ts'
import type { MailKind } from './mail-kind.ts'
import { letterheadOf, storeVariables, type MailShop } from './mail-shop.ts'
import { ORDER_TEMPLATES, type WholeTemplate } from './order-templates.ts'
import { orderVariables } from './order-variables.ts'
import { isPlainMarkup, PLAIN_MARKUP_MESSAGE } from './plain-markup.ts'
import { normalizeText, oneLine } from './words.ts'

type TemplatePart = keyof WholeTemplate
export const TEMPLATE_PARTS = ['subject', 'text', 'html'] as const

/** A part of a merchant's template that could not be used; its message is about the template and holds no data. */
interface TemplateFault {
  part: TemplatePart
  message: string
}

export interface RenderedMail {
  subject: string
  text: string
  html: string
  /** Parts in which our text replaced the merchant's, which failed. */
  fellBack: TemplateFault[]
}

/**
 * Our template for a kind. For mails about accounts and alerts, text and html are the part between the greeting and
 * what is fixed.
 */
export function defaultTemplate(kind: MailKind): Readonly<WholeTemplate> {
  if (isAccountMail(kind)) return ACCOUNT_TEMPLATES[kind]
  return isAlertMail(kind) ? ALERT_TEMPLATES[kind] : ORDER_TEMPLATES[kind]
}

export function isAccountMail(kind: MailKind): kind is AccountMailKind {
  return AccountMailKind.safeParse(kind).success
}

export function isAlertMail(kind: MailKind): kind is AlertMailKind {
  return AlertMailKind.safeParse(kind).success
}

/**
 * Renders a mail about an order. A merchant's template that fails never prevents the mail: the default is used for that
 * part.
 * @param timeoutMs how long each part may take
 */
export function renderOrderMail(
  kind: OrderMailKind,
  data: OrderMailSource,
  shop: MailShop,
  timeoutMs?: number,
): RenderedMail {
  const variables = orderVariables(data, shop)
  const { subject, text, html: content, isDefault, fellBack } = renderParts(kind, shop, variables, timeoutMs)
  const locale = usableLocale(data.locale, shop.locale)
  const html = pageOf({ title: subject, content, locale, isDefault }, letterheadOf(shop))
  return { subject, text, html, fellBack }
}

/** The same for a mail about an account: the text is the template's, greeting and link are fixed. */
export function renderAccountMail(
  kind: AccountMailKind,
  data: AccountMailData,
  shop: MailShop,
  timeoutMs?: number,
): RenderedMail {
  const letterhead = letterheadOf(shop)
  const variables = { store: storeVariables(letterhead), customer: { name: nameInGreeting(data.name) } }
  const { subject, text, html, isDefault, fellBack } = renderParts(kind, shop, variables, timeoutMs)
  const frame = accountFrame(data, BUTTONS[kind], letterhead)
  const locale = usableLocale(shop.locale)
  const content = frame.html(html, !isDefault && !isEnglish(locale))
  return {
    subject,
    text: frame.text(text),
    html: pageOf({ title: subject, content, locale, isDefault }, letterhead),
    fellBack,
  }
}

/** The same for a mail about an alert: the text is the template's, greeting, product and links are fixed. */
export function renderAlertMail(
  kind: AlertMailKind,
  data: AlertMailSource,
  shop: MailShop,
  timeoutMs?: number,
): RenderedMail {
  const letterhead = letterheadOf(shop)
  const variables = alertVariables(data, shop)
  const { subject, text, html, isDefault, fellBack } = renderParts(kind, shop, variables, timeoutMs)
  const { confirm: link, unsubscribeUrl } = data
  const frame = accountFrame({ link }, BUTTON_OF_CONFIRMATION, letterhead)
  const parts = alertParts(kind, variables, unsubscribeUrl)
  const locale = usableLocale(shop.locale)
  const isForeign = !isDefault && !isEnglish(locale)
  const content = frame.html(`${html}\n${englishHtml(parts.html, isForeign)}`, isForeign)
  return {
    subject,
    text: frame.text([text, ...parts.text].join('\n\n')),
    html: pageOf({ title: subject, content, locale, isDefault }, letterhead),
    fellBack,
  }
}

/**
 * Renders each part, by the merchant's template if there is one, and records which parts failed.
 * @returns beside the parts, whether the HTML is the default
 */
function renderParts(kind: MailKind, { templates = {} }: MailShop, variables: object, timeoutMs?: number) {
  const defaults = defaultTemplate(kind)
  const custom = Object.hasOwn(templates, kind) ? templates[kind] : undefined
  const fellBack: TemplateFault[] = []

  function part(name: TemplatePart): { words: string; isDefault: boolean } {
    const template = custom?.[name]
    if (template !== undefined && template.trim() !== '') {
      try {
        return { words: renderCustom(kind, name, template, variables, timeoutMs), isDefault: false }
      } catch (error) {
        fellBack.push({ part: name, message: messageOf(error) })
      }
    }
    return { words: normalizePart(name, renderDefault(formOf(name), defaults[name], variables)), isDefault: true }
  }
  const { words: subject } = part('subject')
  const { words: html, isDefault } = part('html')
  return { subject, text: part('text').words, html, isDefault, fellBack }
}

function formOf(part: TemplatePart): 'html' | 'text' {
  return part === 'html' ? 'html' : 'text'
}

function normalizePart(part: TemplatePart, rendered: string): string {
  if (part === 'subject') return oneLine(rendered)
  return part === 'text' ? normalizeText(rendered) : rendered.trim()
}

function renderCustom(kind: MailKind, part: TemplatePart, template: string, variables: object, timeoutMs?: number) {
  const words = normalizePart(part, renderLiquid(formOf(part), template, variables, timeoutMs))
  if (words === '') throw new Error(EMPTY_MESSAGE)
  if (part === 'subject' && words.length > MAX_SUBJECT_LENGTH) throw new Error('is too long when it is rendered')
  if (part === 'html' && (isAccountMail(kind) || isAlertMail(kind)) && !isPlainMarkup(words))
    throw new Error(PLAIN_MARKUP_MESSAGE)
  return words
}

const BUTTON_OF_CONFIRMATION = 'Confirm alert'
const MAX_SUBJECT_LENGTH = 1000
export const EMPTY_MESSAGE = 'is empty when it is rendered'

/** Liquid quotes the template after its first line. */
function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0]?.slice(0, 300) ?? ''
}
