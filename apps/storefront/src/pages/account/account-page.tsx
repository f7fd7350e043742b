import { StorefrontError } from '@storefront/client'
import type { ComponentChildren } from 'preact'
import { useLanguage } from '../../layout/page-context.ts'
import { Loading } from '../../parts/loading.tsx'
import { livePage, type LiveRequest, type LiveResult } from '../../server/live-page.tsx'
import type { App, Storefront } from '../../server/storefront.ts'
import type { Customer } from '../../shop/catalog.ts'
import { dropSession } from './drop-session.ts'
import { Done, isAboutForm, problemOf, type FieldsByCode, type Problem } from './form.tsx'
import { SignIn } from './sign-in-form.tsx'

/** What succeeded, by the key of its sentence. */
const DONE = [
  'signedOut',
  'deleted',
  'details',
  'password',
  'emailRequested',
  'verificationSent',
  'addressSaved',
  'addressRemoved',
  'addressDefault',
] as const
export type Done = (typeof DONE)[number]

export interface AccountRequest extends LiveRequest {
  customer: Customer
  problem?: Problem | undefined
  done?: string | undefined
}

export interface AccountPage {
  /** As Fastify writes it. */
  route: string
  /** Key of its title. */
  title: 'overview' | 'orders' | 'addresses' | 'details' | 'privacy'
  content: (request: AccountRequest) => Promise<ComponentChildren>
}

interface AccountForm {
  route: string
  name: string
  page: AccountPage
  /** Where the page is, when its route has parameters. */
  path?: string
  fields?: FieldsByCode
  /** The part of the page that a script replaces: what was typed into other forms stays. */
  part?: (request: AccountRequest) => ComponentChildren
  act: (request: LiveRequest) => Promise<Done | LiveResult>
}

const MENU = [
  ['overview', '/account'],
  ['orders', '/account/orders'],
  ['addresses', '/account/addresses'],
  ['details', '/account/details'],
  ['privacy', '/account/privacy'],
] as const

export function accountPage(app: App, storefront: Storefront, page: AccountPage): void {
  livePage(app, storefront, {
    route: page.route,
    view: (request) => showAccount(request, page, { done: DONE.find((key) => key === request.query.get('done')) }),
  })
}

export function accountForm(app: App, storefront: Storefront, form: AccountForm): void {
  const { route, name, page, fields = {}, part } = form
  const path = form.path ?? page.route
  livePage(app, storefront, {
    method: 'POST',
    route,
    async view(request) {
      if (request.token === undefined) return showSignIn(request, { next: path })
      try {
        const done = await form.act(request)
        if (typeof done !== 'string') return done
        return request.hasScript
          ? await showAccount(request, page, { done, part })
          : { redirect: `${path}?done=${done}` }
      } catch (error) {
        if (!(error instanceof StorefrontError)) throw error
        if (error.code === 'unauthenticated') return endSession(request, path)
        if (!isAboutForm(error)) throw error
        return showAccount(request, page, { problem: problemOf(name, error, fields, request.context.language), part })
      }
    },
  })
}

interface Outcome {
  done?: Done | undefined
  problem?: Problem
  part?: AccountForm['part']
}

async function showAccount(
  request: LiveRequest,
  page: AccountPage,
  { done, problem, part: Part }: Outcome,
): Promise<LiveResult> {
  const { token, hasScript, context } = request
  if (token === undefined) {
    // A script knows the session of this browser when there is no cookie.
    return hasScript ? showSignIn(request, { next: context.address, done }) : shell(request, page, done)
  }
  try {
    const customer = await request.shop.get('/me')
    const own = { ...request, customer, problem }
    const { t } = context.language
    const status = problem ? 422 : 200
    const text = done && t(`account.done.${done}`)
    if (Part && hasScript) return { fragment: <Part {...own} done={text} />, status }
    const content = await page.content(own)
    const body = (
      <div class="account">
        <Menu current={page.title} />
        <div class="account-content">
          <h2>{t(`account.title.${page.title}`)}</h2>
          <Done text={text} />
          {content}
        </div>
      </div>
    )
    return view(request, body, status)
  } catch (error) {
    if (error instanceof StorefrontError && error.code === 'unauthenticated')
      return endSession(request, context.address)
    throw error
  }
}

/** The session has expired, or was ended elsewhere. */
async function endSession(request: LiveRequest, next: string): Promise<LiveResult> {
  await dropSession(request)
  return showSignIn(request, { next, notice: request.context.language.t('account.sessionEnded') })
}

function showSignIn(
  request: LiveRequest,
  { next, done, notice }: { next: string; done?: Done | undefined; notice?: string },
): LiveResult {
  // A form may replace its own part of the page only.
  request.moveTo('#account')
  const text = notice ?? (done && request.context.language.t(`account.done.${done}`))
  return view(request, <SignIn state={{ form: request.form }} next={nextOf(request, next)} notice={text} />)
}

const nextOf = ({ query }: LiveRequest, page: string): string =>
  query.get('next') ?? (page.startsWith('/account?') ? '/account' : page)

function shell(request: LiveRequest, page: AccountPage, done: Done | undefined): LiveResult {
  const { context, form } = request
  const { t } = context.language
  return wholePage(
    request,
    <div id="account" hx-get={context.address} hx-trigger="load">
      <Loading />
      <noscript>
        <SignIn
          state={{ form }}
          next={nextOf(request, page.title === 'overview' ? '/account' : context.address)}
          notice={done && t(`account.done.${done}`)}
        />
      </noscript>
    </div>,
  )
}

/** A page of the account; for a script only what stands below its heading. */
export function view(request: LiveRequest, body: ComponentChildren, status = 200): LiveResult {
  return request.hasScript ? { fragment: body, status } : wholePage(request, <div id="account">{body}</div>, status)
}

function wholePage({ context }: LiveRequest, body: ComponentChildren, status = 200): LiveResult {
  const title = context.language.t('account.account')
  return {
    status,
    head: { title, isPrivate: true, style: 'account' },
    body: (
      <section class="page">
        <h1>{title}</h1>
        {body}
      </section>
    ),
  }
}

function Menu({ current }: { current: AccountPage['title'] }) {
  const { t } = useLanguage()
  return (
    <nav class="account-menu" aria-label={t('account.account')}>
      <ul>
        {MENU.map(([title, to]) => (
          <li>
            <a href={to} aria-current={title === current ? 'page' : undefined}>
              {t(`account.title.${title}`)}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
