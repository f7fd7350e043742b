import type { ReactNode } from 'react'
import { BASE_PATH } from '../page-settings.ts'

/** A small picture beside its name, which says what it shows. */
export function Thumbnail({ url }: { url: string }): ReactNode {
  if (url === '') return <div className="thumbnail" />
  return (
    <img
      className="thumbnail"
      src={url.startsWith('/') ? `${BASE_PATH}${url}` : url}
      alt=""
      width={36}
      height={45}
      loading="lazy"
      decoding="async"
    />
  )
}
