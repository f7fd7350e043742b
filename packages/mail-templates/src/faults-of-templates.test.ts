import { readFile } from 'node:fs/promises'
import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { NotificationSettings } from '@storefront/contracts'
import { faultsOfTemplates } from './faults-of-templates.ts'
import { MailKind } from './mail-kind.ts'
import { defaultTemplate, renderAccountMail, renderOrderMail } from './render-mail.ts'
import { sampleAccountData, sampleOrderData } from './sample-data.ts'

/**
 * For checks that are repeated: on a busy machine one can take longer than it may, most of all the first, which
 * compiles the templates.
 */
const TIME_LIMIT = { timeout: 60_000 }
const pathsOf = async (templates: Parameters<typeof faultsOfTemplates>[0]) =>
  (await faultsOfTemplates(templates)).map(({ path }) => path)

test('our default templates have no faults, and neither has an empty one', async () => {
  const ours = Object.fromEntries(MailKind.options.map((kind) => [kind, defaultTemplate(kind)]))
  await vi.waitFor(async () => expect(await faultsOfTemplates(ours)).toEqual([]), TIME_LIMIT)
  expect(await faultsOfTemplates({ shipped: {}, refunded: { subject: '' } })).toEqual([])
})

describe('a fault is reported with its location', () => {
  test.each<[string, Parameters<typeof faultsOfTemplates>[0], string[]]>([
    ['a mail that we do not send', { nonsense: { subject: 'x' }, toString: {} }, ['nonsense', 'toString']],
    ['a template that does not parse', { shipped: { subject: 'x', html: '{% if %}' } }, ['shipped.html']],
    ['an unknown filter', { shipped: { text: '{{ order.number | money }}' } }, ['shipped.text']],
    ['a subject of two lines', { shipped: { subject: 'a\nb' } }, ['shipped.subject']],
    ['a text that renders to nothing', { cancelled: { text: '{{ nothing }}' } }, ['cancelled.text']],
    ['a link in a mail about an account', { passwordReset: { html: '<a href="/">x</a>' } }, ['passwordReset.html']],
    [
      'each of several faults',
      { refunded: { subject: '{{', text: '{%', html: '{{ x | y }}' } },
      ['refunded.subject', 'refunded.text', 'refunded.html'],
    ],
  ])('%s', async (_fault, templates, paths) => {
    expect(await pathsOf(templates)).toEqual(paths)
  })

  test('a template that is empty because an order lacks its data is not a fault', async () => {
    expect(await pathsOf({ shipped: { text: '{% if order.tracking %}{{ order.tracking.code }}{% endif %}' } })).toEqual(
      [],
    )
  })
})

test('templates that do not terminate are stopped together, not one after the other', async () => {
  const endless = '{% for a in (1..90000) %}{% for b in (1..9) %}{% endfor %}{% endfor %}'.repeat(200)
  const before = process.threadCpuUsage()
  const paths = await pathsOf(
    Object.fromEntries(MailKind.options.map((kind) => [kind, { subject: 'x', text: endless, html: endless }])),
  )
  expect(paths.length).toBeGreaterThanOrEqual(MailKind.options.length)
  expect(process.threadCpuUsage(before).user).toBeLessThan(5_000_000)
})

test('other work does not wait until all templates are checked', async () => {
  const endless = '{% for a in (1..90000) %}{% for b in (1..9) %}{% endfor %}{% endfor %}'.repeat(200)
  let turns = 0
  // The number of turns of the event loop does not depend on the load of the machine, unlike that of clock ticks.
  let turn = setImmediate(function count() {
    turns++
    turn = setImmediate(count)
  })
  const tried = await pathsOf(Object.fromEntries(MailKind.options.map((kind) => [kind, { text: endless }])))
  clearImmediate(turn)
  expect(tried.length).toBe(MailKind.options.length)
  expect(turns).toBeGreaterThanOrEqual(4)
})

test('the German example of the documentation can be saved, and renders in German', async () => {
  const document = await readFile(new URL('../../../docs/mail.md', import.meta.url), 'utf8')
  const example = /### In German[^]*?```json\n([^]*?)```/.exec(document)?.[1] ?? ''
  const { templates = {} } = z.object({ notifications: NotificationSettings }).parse(JSON.parse(example)).notifications
  await vi.waitFor(async () => expect(await faultsOfTemplates(templates)).toEqual([]), TIME_LIMIT)
  const shop = { name: 'Leinen', publicUrl: 'https://shop.example', locale: 'de-DE', templates }
  const { subject, text, html, fellBack } = renderOrderMail(
    'orderPlaced',
    sampleOrderData({ locale: 'de-DE', currency: 'EUR' }),
    shop,
  )
  expect(fellBack).toEqual([])
  expect(subject).toBe('Bestellung SF-10001 ist eingegangen')
  expect(text).toContain('Bestellung vom 2. März 2026.')
  expect(text).toContain('Rabatt: -43,10\u00a0€\nVersand: 9,00\u00a0€\nSumme: 427,93\u00a0€')
  expect(html).toContain('<li>2 x Linen Shirt: 336,00\u00a0€</li>')
  const reset = renderAccountMail('passwordReset', sampleAccountData(), shop)
  expect(reset).toMatchObject({ subject: 'Neues Passwort', fellBack: [] })
  expect(reset.text).toContain('Konto bei Leinen')
})
