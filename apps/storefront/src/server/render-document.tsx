import type { ComponentChildren } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { Layout } from '../layout/layout.tsx'
import type { Head } from '../layout/head.tsx'
import { PageContextProvider, type PageContext } from '../layout/page-context.ts'

/** A page, as the file of the page describes it. */
export interface PageView {
  /** 200 by default. */
  status?: number
  head: Head
  body: ComponentChildren
}

export function renderDocument(view: PageView, context: PageContext): string {
  const { head, body } = view
  return `<!doctype html>${renderToString(
    <PageContextProvider value={context}>
      <Layout head={head}>{body}</Layout>
    </PageContextProvider>,
  )}`
}

/** @returns a part of a page, for a script that puts it in its place */
export function renderFragment(body: ComponentChildren, context: PageContext): string {
  return renderToString(<PageContextProvider value={context}>{body}</PageContextProvider>)
}
