import { usePage } from '../layout/page-context.ts'

export interface PictureSource {
  url: string
  alt?: string | null | undefined
  width?: number | null | undefined
  height?: number | null | undefined
  focalPoint?: { x: number; y: number } | undefined
}

/** The widths in which the shop keeps an uploaded picture, as far as it is wide enough. */
const WIDTHS = [320, 640, 960, 1280, 1920]
const UPLOADED = /^(.*\/media\/uploads\/med_[0-9a-f]{32}\/)(\d+)\.webp$/

/** @returns the address of a picture of the shop as a path of this storefront; others stay as they are */
export function pictureAddress(url: string, shopUrl: string): string {
  return url.startsWith(`${shopUrl}/media/`) ? url.slice(shopUrl.length) : url
}

/** @returns the addresses of an uploaded picture by width; undefined for other pictures, which have one size */
export function srcsetOf(url: string): string | undefined {
  const [, folder, width] = UPLOADED.exec(url) ?? []
  if (folder === undefined) return undefined
  const widths = [...WIDTHS.filter((one) => one < Number(width)), Number(width)]
  return widths.map((one) => `${folder}${one}.webp ${one}w`).join(', ')
}

interface PictureProps {
  picture: PictureSource
  /** How wide it is shown, as in the attribute of the same name. */
  sizes: string
  /** Whether it is seen without scrolling: others are loaded when they come near. */
  isFirst?: boolean
  class?: string
  /** CSS `object-position`, in place of the focal point. */
  position?: string | undefined
}

export function Picture({ picture, sizes, isFirst = false, class: name, position }: PictureProps) {
  const { alt, width, height, focalPoint } = picture
  const url = pictureAddress(picture.url, usePage().shopUrl)
  const srcset = srcsetOf(url)
  const at = position ?? (focalPoint && `${focalPoint.x * 100}% ${focalPoint.y * 100}%`)
  return (
    <img
      class={name}
      src={url}
      srcset={srcset}
      sizes={srcset && sizes}
      alt={alt ?? ''}
      width={width ?? 1200}
      height={height ?? 1500}
      loading={isFirst ? undefined : 'lazy'}
      fetchpriority={isFirst ? 'high' : undefined}
      style={at === undefined ? undefined : { objectPosition: at }}
    />
  )
}
