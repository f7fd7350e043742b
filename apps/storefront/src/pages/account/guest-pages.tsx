import { StorefrontError } from '@storefront/client'
import type { ComponentChildren } from 'preact'
import { livePage, type LiveResult, type Visit } from '../../server/live-page.tsx'
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
  draw: (state: FormState, next: string) => ComponentChildren
  /** @returns what is shown when it succeeded */
  act: (visit: Visit, next: string) => Promise<LiveResult>
}

const SIGN_IN: GuestForm = {
  name: 'sign-in',
  draw: (state, next) => <SignIn state={state} next={next} />,
  async act(visit, next) {
    const body = { email: emailOf(visit), password: visit.form.get('password') }
    const { token } = await visit.shop.post('/auth/login', { body })
    return enter(visit, token, next)
  },
}

const REGISTER: GuestForm = {
  name: 'register',
  fields: { invalid_email: 'email', email_taken: 'email', weak_password: 'password' },
  draw: (state, next) => <Register state={state} next={next} />,
  async act(visit, next) {
    const { form } = visit
    const names = { firstName: form.get('firstName') ?? '', lastName: form.get('lastName') ?? '' }
    const body = { email: emailOf(visit), password: form.get('password'), ...names }
    const { token } = await visit.shop.post('/auth/register', { body })
    return enter(visit, token, next)
  },
}

const FORGOT: GuestForm = {
  name: 'forgot',
  fields: { invalid_email: 'email' },
  draw: (state) => <Forgot state={state} />,
  async act(visit) {
    const email = emailOf(visit)
    await visit.shop.post('/auth/password/forgot', { body: { email } })
    return view(visit, <Forgot state={{ form: visit.form }} sentTo={email} />)
  },
}

export function guestPages(app: App, storefront: Storefront): void {
  for (const [route, form] of [
    ['/account/register', REGISTER],
    ['/account/forgot', FORGOT],
  ] as const) {
    livePage(app, storefront, {
      route,
      view: async (visit) => view(visit, form.draw({ form: visit.form }, nextOf(visit.query))),
    })
    formRoute(app, storefront, route, form)
  }
  formRoute(app, storefront, '/account/sign-in', SIGN_IN)
  // Where a reload leads after an incorrect password without script.
  livePage(app, storefront, { route: '/account/sign-in', view: async () => ({ redirect: '/account' }) })
}

function formRoute(app: App, storefront: Storefront, route: string, { name, fields = {}, draw, act }: GuestForm): void {
  livePage(app, storefront, {
    method: 'POST',
    route,
    async view(visit) {
      const next = nextOf(visit.form)
      try {
        return await act(visit, next)
      } catch (error) {
        if (!(error instanceof StorefrontError) || !isAboutForm(error)) throw error
        const problem = problemOf(name, error, fields, visit.context.language)
        return view(visit, draw({ form: visit.form, problem }, next), 422)
      }
    },
  })
}

async function enter(visit: Visit, token: string, next: string): Promise<LiveResult> {
  await openSession(visit, token)
  return { redirect: next }
}

const emailOf = ({ form }: Visit): string => (form.get('email') ?? '').trim()
const nextOf = (values: URLSearchParams): string => ownPath(values.get('next')) ?? '/account'
