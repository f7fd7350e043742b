import { useRef, type PointerEvent, type ReactNode } from 'react'
import classes from './focal-point.module.css'
import type { FocalPoint } from './save-focal-point.ts'

interface FocalPointPictureProps {
  src: string
  alt: string
  width: number
  height: number
  point: FocalPoint
  /** Undefined where it cannot be changed. */
  onPoint: ((point: FocalPoint) => void) | undefined
}

/** A whole picture with a mark on its focal point, which a pointer puts elsewhere. The fields beside it are for keyboards. */
export function FocalPointPicture({ src, alt, width, height, point, onPoint }: FocalPointPictureProps): ReactNode {
  const frame = useRef<HTMLDivElement>(null)

  function follow({ clientX, clientY }: PointerEvent): void {
    const box = frame.current?.getBoundingClientRect()
    if (!box || box.width === 0 || box.height === 0) return
    onPoint?.({ x: shareOf(clientX - box.left, box.width), y: shareOf(clientY - box.top, box.height) })
  }

  const image = <img className={classes['large']} src={src} alt={alt} width={width} height={height} draggable={false} />
  if (!onPoint) return image
  return (
    <div
      ref={frame}
      className={classes['frame']}
      onPointerDown={(event) => {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        follow(event)
      }}
      onPointerMove={(event) => event.currentTarget.hasPointerCapture(event.pointerId) && follow(event)}
    >
      {image}
      <span className={classes['mark']} style={{ left: `${point.x * 100}%`, top: `${point.y * 100}%` }} />
    </div>
  )
}

/** In whole percents, as the fields show it. */
function shareOf(distance: number, length: number): number {
  return Math.round(Math.min(1, Math.max(0, distance / length)) * 100) / 100
}
