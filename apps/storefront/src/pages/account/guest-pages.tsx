import { StorefrontError } from '@storefront/client'
import type { ComponentChildren } from 'preact'
import { livePage, type LiveRequest, type LiveResult } from '../../server/live-page.tsx'
import { ownPath } from '../../server/own-path.ts'
import type { App, Storefront } from '../../server/storefront.ts'
import { view } from './account-page.tsx'
import { isAboutForm, problemOf, type FieldsByCode, type FormState } from './form.tsx'
import { Forgot } from './forgot-form.tsx'
import { openSession } from './open-session.ts'
import { Register } from './register-form.tsx'
import { SignIn } from './sign-in-form.tsx'

interface GuestForm {
  name: string
  fields?: FieldsByCode
  render: (state: FormState, next: string) => ComponentChildren
  /** @returns what is shown when it succeeded */
  act: (request: LiveRequest, next: string) => Promise<LiveResult>
}

const SIGN_IN: GuestForm = {
  name: 'sign-in',
  render: (state, next) => <SignIn state={state} next={next} />,
  async act(request, next) {
    const body = { email: emailOf(request), password: request.form.get('password') }
    const { token } = await request.shop.post('/auth/login', { body })
    return enter(request, token, next)
  },
}

const REGISTER: GuestForm = {
  name: 'register',
  fields: { invalid_email: 'email', email_taken: 'email', weak_password: 'password' },
  render: (state, next) => <Register state={state} next={next} />,
  async act(request, next) {
    const { form } = request
    const names = { firstName: form.get('firstName') ?? '', lastName: form.get('lastName') ?? '' }
    const body = { email: emailOf(request), password: form.get('password'), ...names }
    const { token } = await request.shop.post('/auth/register', { body })
    return enter(request, token, next)
  },
}

const FORGOT: GuestForm = {
  name: 'forgot',
  fields: { invalid_email: 'email' },
  render: (state) => <Forgot state={state} />,
  async act(request) {
    const email = emailOf(request)
    await request.shop.post('/auth/password/forgot', { body: { email } })
    return view(request, <Forgot state={{ form: request.form }} sentTo={email} />)
  },
}

export function guestPages(app: App, storefront: Storefront): void {
  for (const [route, form] of [
    ['/account/register', REGISTER],
    ['/account/forgot', FORGOT],
  ] as const) {
    livePage(app, storefront, {
      route,
      view: async (request) => view(request, form.render({ form: request.form }, nextOf(request.query))),
    })
    formRoute(app, storefront, route, form)
  }
  formRoute(app, storefront, '/account/sign-in', SIGN_IN)
  // Where a reload leads after an incorrect password without script.
  livePage(app, storefront, { route: '/account/sign-in', view: async () => ({ redirect: '/account' }) })
}

function formRoute(
  app: App,
  storefront: Storefront,
  route: string,
  { name, fields = {}, render, act }: GuestForm,
): void {
  livePage(app, storefront, {
    method: 'POST',
    route,
    async view(request) {
      const next = nextOf(request.form)
      try {
        return await act(request, next)
      } catch (error) {
        if (!(error instanceof StorefrontError) || !isAboutForm(error)) throw error
        const problem = problemOf(name, error, fields, request.context.language)
        return view(request, render({ form: request.form, problem }, next), 422)
      }
    },
  })
}

async function enter(request: LiveRequest, token: string, next: string): Promise<LiveResult> {
  await openSession(request, token)
  return { redirect: next }
}

const emailOf = ({ form }: LiveRequest): string => (form.get('email') ?? '').trim()
const nextOf = (values: URLSearchParams): string => ownPath(values.get('next')) ?? '/account'
