import { pictureAddress, srcsetOf } from '../parts/picture.tsx'
import { usePage, type PageScript, type PageStyle } from './page-context.ts'

/** What a page says about itself to browsers and search engines. */
export interface Head {
  title: string
  description?: string | undefined
  /** The one address of this page, as a path with the parameters that matter. */
  canonical?: string | undefined
  /** Whether search engines must not list it: pages of one shopper, and lists with filters. */
  isPrivate?: boolean
  /** Addresses of the pages of a list before and after this one. */
  previous?: string | undefined
  next?: string | undefined
  image?: { url: string; alt: string } | undefined
  /** Structured data after schema.org. */
  data?: readonly object[]
  /** The largest picture, which the browser loads first. */
  firstPicture?: { url: string; sizes: string } | undefined
  /** Styles that only this page needs. */
  style?: PageStyle
  /** Whether a script requests the bag: scripts wait for it, and one that is empty is seen at once. */
  awaitsBag?: boolean
  /** In place of the script that most pages have. */
  script?: PageScript
}

/** The title of a page; htmx takes it from a part of a page too. */
export function Title({ text }: { text: string }) {
  const { store, seo } = usePage().frame.settings
  return <title>{titleOf(text, store?.name ?? '', seo?.titleTemplate)}</title>
}

export function DocumentHead({ head }: { head: Head }) {
  const { frame, storefrontUrl, assets } = usePage()
  const { store, seo } = frame.settings
  const name = store?.name ?? ''
  const description = head.description ?? store?.description ?? store?.tagline ?? undefined
  const canonical = head.canonical === undefined ? undefined : `${storefrontUrl}${head.canonical}`
  const isHidden = head.isPrivate === true || seo?.indexable === false
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <Title text={head.title} />
      {description && <meta name="description" content={description} />}
      {isHidden && <meta name="robots" content="noindex" />}
      {canonical && <link rel="canonical" href={canonical} />}
      {head.previous && <link rel="prev" href={head.previous} />}
      {head.next && <link rel="next" href={head.next} />}
      <meta name="color-scheme" content="light dark" />
      <meta name="htmx-config" content='{"includeIndicatorCSS":false,"morphIgnore":["data-htmx-powered","open"]}' />
      {head.firstPicture && <FirstPicture {...head.firstPicture} />}
      <style dangerouslySetInnerHTML={{ __html: assets.styles.shop }} />
      {head.style && <style dangerouslySetInnerHTML={{ __html: assets.styles[head.style] }} />}
      <script
        data-modules={assets.modules(head.script ?? 'page').join(' ')}
        data-waits={head.firstPicture ? '' : undefined}
        data-awaits-bag={head.awaitsBag ? '' : undefined}
        dangerouslySetInnerHTML={{ __html: assets.inline.loader }}
      />
      <link rel="icon" href="/icon.svg" type="image/svg+xml" />
      <link rel="apple-touch-icon" href="/icon-192.png" />
      <link rel="manifest" href="/manifest.webmanifest" />
      <meta property="og:site_name" content={name} />
      <meta property="og:title" content={head.title} />
      {description && <meta property="og:description" content={description} />}
      {canonical && <meta property="og:url" content={canonical} />}
      {head.image && <meta property="og:image" content={head.image.url} />}
      {head.image && <meta property="og:image:alt" content={head.image.alt} />}
      {head.data?.map((data) => (
        <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: scriptSafe(data) }} />
      ))}
    </head>
  )
}

function FirstPicture({ url, sizes }: { url: string; sizes: string }) {
  const address = pictureAddress(url, usePage().shopUrl)
  const imagesrcset = srcsetOf(address)
  const attributes = imagesrcset === undefined ? {} : { imagesrcset, imagesizes: sizes }
  return <link rel="preload" as="image" href={address} fetchpriority="high" {...attributes} />
}

function titleOf(title: string, store: string, template: string | null | undefined): string {
  if (title === store || store === '') return title
  return (template || '{title} – {store}').replace('{title}', () => title).replace('{store}', () => store)
}

/** A text of a merchant may contain the end of a script. */
function scriptSafe(data: object): string {
  return JSON.stringify(data).replaceAll('<', String.raw`\u003c`)
}
