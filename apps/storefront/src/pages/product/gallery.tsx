import { useLanguage } from '../../layout/page-context.ts'
import { Icon } from '../../parts/icon.tsx'
import { Picture } from '../../parts/picture.tsx'
import type { ProductView } from './product-view.ts'

const GALLERY_SIZES = '(min-width: 80rem) 38rem, (min-width: 48rem) 50vw, 100vw'

/** The pictures in a row that a finger or a thumbnail moves; each leads to itself in full size. */
export function Gallery({ view: { images, product, shownColor } }: { view: ProductView }) {
  const { t } = useLanguage()
  const classFor = (color: string | undefined) =>
    shownColor === undefined || color === undefined || color === shownColor ? undefined : 'script-off'
  return (
    <section class="gallery" aria-label={t('product.pictures', { title: product.title })}>
      <ul class="slides">
        {images.map((image, index) => (
          <li id={`picture-${index + 1}`} class={classFor(image.color)} data-color={image.color} data-image={image.id}>
            <a href={image.url} data-view="gallery" aria-label={t('product.enlarge', { picture: image.alt })}>
              <Picture picture={image} sizes={GALLERY_SIZES} isFirst={index === 0} />
            </a>
          </li>
        ))}
      </ul>
      {images.length > 1 && (
        <ol class="thumbs">
          {images.map((image, index) => (
            <li class={classFor(image.color)} data-color={image.color}>
              <a href={`#picture-${index + 1}`} aria-label={t('product.showPicture', { picture: image.alt })}>
                <Picture picture={{ ...image, alt: '' }} sizes="4.5rem" />
              </a>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

/** Pictures in full size, which a script fills and turns. Without it the links lead to the files. */
export function Viewer({ title }: { title: string }) {
  const { t } = useLanguage()
  return (
    <dialog id="viewer" class="viewer" aria-label={t('product.pictures', { title })}>
      <div class="viewer-picture">
        <p role="status" />
      </div>
      <div class="viewer-tools">
        <button class="tool" data-turns="-1" aria-label={t('product.previousPicture')}>
          <Icon name="back" />
        </button>
        <button class="tool" data-turns="1" aria-label={t('product.nextPicture')}>
          <Icon name="forward" />
        </button>
        <button class="tool" data-closes-dialog aria-label={t('common.close')}>
          <Icon name="close" />
        </button>
      </div>
    </dialog>
  )
}

export function firstPictureOf({ images: [image] }: ProductView) {
  return image && { url: image.url, sizes: GALLERY_SIZES }
}
