import type { ReactNode } from 'react'
import { titleIn } from '../fields.ts'
import classes from './preview.module.css'

export function PreviewPromises({ promises }: { promises: readonly unknown[] }): ReactNode {
  if (promises.length === 0) return null
  return (
    <div className={classes['promises']}>
      {promises.map((promise, index) => (
        <div key={index}>
          <b>{titleIn(promise, 'title')}</b>
          <div>{titleIn(promise, 'body')}</div>
        </div>
      ))}
    </div>
  )
}
