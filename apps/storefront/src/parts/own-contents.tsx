import type { ComponentChildren } from 'preact'
import { usePage } from '../layout/page-context.ts'
import { Loading } from './loading.tsx'

interface OwnContentsProps {
  id: string
  /** The address of the contents. */
  from: string
  /** What a browser without a bag sees. */
  children: ComponentChildren
}

/** The place of the bag, which a script requests with what its browser knows. */
export function OwnContents({ id, from, children }: OwnContentsProps) {
  return (
    <>
      <div class="own-contents" id={id} hx-get={from} hx-trigger="request-again" hx-target="this">
        <Loading />
        <div class="without-bag">{children}</div>
      </div>
      <script dangerouslySetInnerHTML={{ __html: usePage().assets.inline['own-contents'] }} />
    </>
  )
}
