import { TrashIcon } from '@radix-ui/react-icons'
import type { ComponentProps, ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { IconButton } from './icon-button.tsx'

type ButtonProps = ComponentProps<typeof IconButton>

interface RemoveButtonProps extends Omit<ButtonProps, 'icon' | 'onClick'> {
  icon?: ButtonProps['icon']
  onClick: () => void
}

/** Removes an item of a list. The focus, which goes with it, goes on to the next item. */
export function RemoveButton({ icon = TrashIcon, onClick, ...props }: RemoveButtonProps): ReactNode {
  return <IconButton {...props} icon={icon} data-removes onClick={(event) => remove(event.currentTarget, onClick)} />
}

const buttonsIn = (part: ParentNode) => Array.from(part.querySelectorAll<HTMLElement>('[data-removes]'))

function remove(button: HTMLElement, change: () => void): void {
  const before = buttonsIn(document)
  const around: HTMLElement[] = []
  for (let part = button.parentElement; part; part = part.parentElement) around.push(part)
  flushSync(change)
  const list = around.find(({ isConnected }) => isConnected)
  if (button.isConnected || !list) return
  const left = buttonsIn(list)
  const place = before.slice(0, before.indexOf(button)).filter((each) => list.contains(each)).length
  const next = left[place] ?? left[place - 1] ?? list.querySelector<HTMLElement>('button:enabled, input:enabled')
  next?.focus()
}
