import type { StorefrontError } from '@storefront/client'
import type { ComponentChildren } from 'preact'
import { useLanguage } from '../../layout/page-context.ts'
import { ButtonLink } from '../../parts/button-link.tsx'
import { Field } from '../../parts/field.tsx'
import { livePage, partOrPage, type LiveRequest, type LiveResult } from '../../server/live-page.tsx'
import type { App, Storefront } from '../../server/storefront.ts'
import { isRejection } from '../../shop/catalog.ts'
import { sentOnce } from '../../parts/sent-once.ts'

type LinkName = 'verifyEmail' | 'resetPassword' | 'confirmNewsletter' | 'endNewsletter' | 'confirmAlert' | 'endAlert'

/** A page that a link in a mail leads to. Its path is that of the shop's own page, which it takes the place of. */
export interface MailLinkPage {
  route: string
  /** Key of its texts. */
  name: LinkName
  /** Whether the link has its token in the query, and not in the fragment. */
  isInQuery?: boolean
  /** The fields besides the token. */
  fields?: (request: LiveRequest) => ComponentChildren
  /** @returns what is shown when it succeeded */
  act: (request: LiveRequest, token: string) => Promise<ComponentChildren>
  /** @returns the form again, for an error that the reader can do something about */
  retry?: (request: LiveRequest, error: StorefrontError) => ComponentChildren
}

export function mailLinkPage(app: App, storefront: Storefront, page: MailLinkPage): void {
  const { route, name, act, retry } = page
  livePage(app, storefront, {
    route,
    view: async (request) => show(request, name, formOf(page, request)),
  })
  livePage(app, storefront, {
    method: 'POST',
    route,
    async view(request) {
      try {
        return show(request, name, await act(request, request.form.get('token') ?? ''))
      } catch (error) {
        if (!isRejection(error) || error.code === 'rate_limited') throw error
        return show(
          request,
          name,
          retry?.(request, error) ?? <LinkProblem request={request} name={name} error={error} />,
          422,
        )
      }
    },
  })
}

function formOf(page: MailLinkPage, request: LiveRequest) {
  const fields = page.fields?.(request)
  if (page.isInQuery !== true) return <LinkForm page={page}>{fields}</LinkForm>
  const token = request.query.get('token')
  if (!token) return <p class="notice">{request.context.language.t('confirmations.incomplete')}</p>
  return (
    <LinkForm page={page} token={token}>
      {fields}
    </LinkForm>
  )
}

function show(request: LiveRequest, name: LinkName, body: ComponentChildren, status = 200): LiveResult {
  const head = { title: request.context.language.t(`confirmations.${name}.title`), isPrivate: true }
  return partOrPage(request, body, { head, status, contents: <div id="confirmation">{body}</div> })
}

interface LinkFormProps {
  page: Pick<MailLinkPage, 'route' | 'name'>
  /** Of the link. A script reads it from the fragment of the address, which no server gets. */
  token?: string
  explanation?: string
  children?: ComponentChildren
}

/** Only the button does something, because programs that scan mails open every link. */
export function LinkForm({ page, token, explanation, children }: LinkFormProps) {
  const { t } = useLanguage()
  const { route, name } = page
  const isInFragment = token === undefined
  return (
    <>
      <form class={isInFragment ? 'form script-on' : 'form'} {...sentOnce(route)} hx-target="#confirmation">
        <p>{explanation ?? t(`confirmations.${name}.text`)}</p>
        <input type="hidden" name="token" value={token ?? ''} data-link-token={isInFragment || undefined} />
        {children}
        <p>
          <button class="button">{t(`confirmations.${name}.button`)}</button>
        </p>
      </form>
      {isInFragment && (
        <>
          <p class="notice" hidden data-link-missing>
            {t('confirmations.incomplete')}
          </p>
          <noscript>
            <p class="notice">{t('confirmations.scriptNeeded')}</p>
          </noscript>
        </>
      )}
    </>
  )
}

/** The link has expired, or was used: the way on, or to another one. */
function LinkProblem({ request, name, error }: { request: LiveRequest; name: LinkName; error: StorefrontError }) {
  return (
    <>
      <p class="notice notice-problem" role="alert" tabindex={-1} autofocus>
        {request.context.language.error(error)}
      </p>
      <WayOn to={AFTER_PROBLEM[name] ?? 'shop'} />
    </>
  )
}

const WAYS_ON = {
  account: { address: '/account', text: 'confirmations.toAccount' },
  newLink: { address: '/account/forgot', text: 'confirmations.newLink' },
  shop: { address: '/shop', text: 'common.toShop' },
} as const

/** The way on from a link that did not work: to the shop where none is named. */
const AFTER_PROBLEM: Partial<Record<LinkName, keyof typeof WAYS_ON>> = {
  resetPassword: 'newLink',
  verifyEmail: 'account',
}

function WayOn({ to }: { to: keyof typeof WAYS_ON }) {
  const { t } = useLanguage()
  const { address, text } = WAYS_ON[to]
  return <ButtonLink to={address}>{t(text)}</ButtonLink>
}

/** What succeeded, and the way on. */
export function LinkDone({ name, to, text }: { name: LinkName; to: 'account' | 'shop'; text?: string | undefined }) {
  const { t } = useLanguage()
  return (
    <>
      <p class="notice" role="status" tabindex={-1} autofocus>
        {text ?? t(`confirmations.${name}.done`)}
      </p>
      <WayOn to={to} />
    </>
  )
}

interface PasswordFieldProps {
  label: string
  autocomplete: 'new-password' | 'current-password'
  hint?: string
  problem?: string | undefined
}

export function PasswordField(props: PasswordFieldProps) {
  return (
    <Field
      {...props}
      id="link-password"
      name="password"
      type="password"
      maxlength={200}
      required
      autofocus={props.problem !== undefined}
    />
  )
}
