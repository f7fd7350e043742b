import { Button } from '@mantine/core'
import { PlusIcon } from '@radix-ui/react-icons'
import { useRef, type ComponentType, type ReactNode } from 'react'
import { useDialog, type DialogProps } from '../../parts/use-dialog.tsx'
import { SecretDialog, type ShownSecret } from './secret-dialog.tsx'

export interface CreateFormProps<Made> extends DialogProps {
  onMade: (made: Made) => void
}

interface CreateWithSecretProps<Made> {
  /** On the button. */
  label: string
  /** The dialog that makes it. */
  Form: ComponentType<CreateFormProps<Made>>
  secretOf: (made: Made) => ShownSecret
}

/** A button and a form that make something with a secret, and the secret, which is shown this one time. */
export function CreateWithSecret<Made>({ label, Form, secretOf }: CreateWithSecretProps<Made>): ReactNode {
  const button = useRef<HTMLButtonElement>(null)
  const form = useDialog<undefined>()
  const made = useDialog<Made>()
  function show(what: Made): void {
    // The dialog that opens now returns the focus to it: the form will be gone.
    button.current?.focus()
    made.open(what)
  }
  return (
    <>
      <Button variant="filled" ref={button} leftSection={<PlusIcon />} onClick={() => form.open(undefined)}>
        {label}
      </Button>
      {form.render((dialog) => (
        <Form {...dialog} onMade={show} />
      ))}
      {made.render((dialog, what) => (
        <SecretDialog {...dialog} {...secretOf(what)} />
      ))}
    </>
  )
}
