import { z } from 'zod'
import type { App } from '@storefront/chassis'
import { MailTemplate } from '@storefront/contracts'
import { defaultTemplate, MailKind, variablesOf } from '@storefront/mail-templates'
import { currentSettings } from '../settings/current-settings.ts'
import type { SettingsReader } from '../settings/settings-reader.ts'
import { whySwitchedOff } from './switched-off.ts'

const MailTemplateInForce = z
  .object({
    event: MailKind,
    /** Mails about accounts cannot be switched off. */
    enabled: z.boolean(),
    default: z.object({ subject: z.string(), text: z.string(), html: z.string() }),
    /** What the configuration puts in its place, part by part. */
    override: MailTemplate.nullable(),
    variables: z.array(z.object({ name: z.string(), description: z.string() })),
  })
  .meta({ id: 'MailTemplateInForce' })

/** Every kind of mail with its template, for a form that edits it. */
export function listTemplatesRoute(app: App, { settings }: { settings: SettingsReader }): void {
  app.get(
    '/admin/notifications/templates',
    {
      config: { access: { admin: 'settings:write' } },
      schema: {
        tags: ['Admin: notifications'],
        summary: 'The templates of all mails, ours and yours, and what they may name',
        response: { 200: z.object({ items: z.array(MailTemplateInForce), total: z.int() }) },
      },
    },
    async () => {
      const { notifications } = await currentSettings(settings)
      const items = MailKind.options.map((kind) => ({
        event: kind,
        enabled: whySwitchedOff(kind, notifications) === undefined,
        default: defaultTemplate(kind),
        override: notifications.templates?.[kind] ?? null,
        variables: variablesOf(kind),
      }))
      return { items, total: items.length }
    },
  )
}
