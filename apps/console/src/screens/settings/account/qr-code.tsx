import { Box } from '@mantine/core'
import type { ReactNode } from 'react'
import { encode } from 'uqr'

/** Readers need a quiet margin of this many modules. */
const MARGIN = 4

/** Black on white in dark colors as well: many apps cannot read the reverse. */
export function QrCode({ text, label }: { text: string; label: string }): ReactNode {
  const { data } = encode(text, { ecc: 'M', border: MARGIN })
  const size = data.length
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <Box component="svg" role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} w={220} h={220}>
      <rect width={size} height={size} fill="white" />
      <path d={path} fill="black" shapeRendering="crispEdges" />
    </Box>
  )
}
