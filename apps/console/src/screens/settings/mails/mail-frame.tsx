import { useMemo, type ReactNode } from 'react'
import { NONCE } from '../../../page-settings.ts'
import classes from './mail-frame.module.css'
import { withStyleSheet } from './with-style-sheet.ts'

/**
 * The page of a mail as a mail program shows it. It is the text of a merchant: the sandbox and the policy of the console,
 * which the frame inherits, let nothing in it run, send or lead elsewhere.
 */
export function MailFrame({ title, html }: { title: string; html: string }): ReactNode {
  const page = useMemo(() => withStyleSheet(html, NONCE), [html])
  return <iframe className={classes['frame']} title={title} sandbox="" srcDoc={page} />
}
