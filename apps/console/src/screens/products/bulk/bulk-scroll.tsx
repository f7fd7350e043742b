import { Box } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './bulk-scroll.module.css'

/** A long list that scrolls by itself, by keyboard too. */
export function BulkScroll({ label, children }: { label: string; children: ReactNode }): ReactNode {
  return (
    <Box className={classes['scroll']} role="region" aria-label={label} tabIndex={0}>
      {children}
    </Box>
  )
}
