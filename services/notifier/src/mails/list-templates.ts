import { z } from 'zod'
import type { App } from '@storefront/http'
import { listOf, MailTemplate } from '@storefront/contracts'
import { defaultTemplate, MailKind, variablesOf } from '@storefront/mail-templates'
import { currentSettings } from '../settings/current-settings.ts'
import type { SettingsReader } from '../settings/settings-reader.ts'
import { whyDisabled } from './why-disabled.ts'

const MailTemplateInForce = z
  .object({
    event: MailKind.describe('Kind of mail; the name of its template in the configuration.'),
    enabled: z.boolean().describe('Whether mails of this kind are sent. Only those about orders can be switched off.'),
    default: z
      .object({
        subject: z.string().describe('Liquid, one line.'),
        text: z.string().describe('Liquid, for mail programs without HTML.'),
        html: z.string().describe('Liquid, the content of the page; values are escaped in it.'),
      })
      .describe('The template that comes with the shop.'),
    override: MailTemplate.nullable().describe('The parts that the configuration replaces; null if it replaces none.'),
    variables: z
      .array(
        z.object({
          name: z.string().describe('As it is written in Liquid, such as `order.number`.'),
          description: z.string().describe('Its meaning, for the author of a template.'),
        }),
      )
      .describe('The variables of a template of this kind.'),
  })
  .meta({ id: 'MailTemplateInForce' })

export function listTemplatesRoute(app: App, { settings }: { settings: SettingsReader }): void {
  app.get('/admin/notifications/templates', {
    config: { access: { admin: 'settings:write' } },
    schema: {
      summary: 'The templates of all mails, with your changes and their variables',
      description: 'For an editor of templates: parts that `override` lacks are as in `default`.',
      response: { 200: listOf(MailTemplateInForce) },
    },
    handler: async () => {
      const { notifications } = await currentSettings(settings)
      const items = MailKind.options.map((kind) => ({
        event: kind,
        enabled: whyDisabled(kind, notifications) === undefined,
        default: defaultTemplate(kind),
        override: notifications.templates?.[kind] ?? null,
        variables: variablesOf(kind),
      }))
      return { items, total: items.length }
    },
  })
}
