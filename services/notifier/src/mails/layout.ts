import { html, type Html } from './html.ts'

const BODY = 'margin:0;padding:24px;background:#ffffff;color:#1a1a1a;font:16px/1.5 Arial,Helvetica,sans-serif;'

/** The page that every mail stands on: readable in any width, without images, with one heading that says what it is. */
export function writePage(page: { title: string; heading: string; content: Html | readonly Html[] }): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${page.title}</title>
      </head>
      <body style="${BODY}">
        <main style="max-width:600px;margin:0 auto;">
          <h1 style="font-size:24px;line-height:1.25;margin:0 0 8px;">${page.heading}</h1>
          ${page.content}
        </main>
      </body>
    </html>`
}
