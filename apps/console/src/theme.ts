import { createTheme, type CSSVariablesResolver, type MantineThemeOverride } from '@mantine/core'
import type { MouseEvent } from 'react'

const FONTS = 'system-ui, "Segoe UI", Roboto, Helvetica, Arial, sans-serif'

/** Dense, because people work here all day. */
export const theme: MantineThemeOverride = createTheme({
  fontFamily: FONTS,
  fontFamilyMonospace: 'ui-monospace, "SF Mono", Menlo, Consolas, monospace',
  headings: { fontFamily: FONTS, fontWeight: '600' },
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 8 },
  autoContrast: true,
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { size: 'sm', variant: 'default' } },
    InputWrapper: { defaultProps: { withAsterisk: false } },
    Text: { defaultProps: { size: 'sm' } },
    Textarea: { defaultProps: { autosize: true, minRows: 2 } },
    TextInput: { defaultProps: { size: 'sm' } },
    Badge: { defaultProps: { variant: 'light', tt: 'none', fw: 600, miw: 'max-content' } },
    FileButton: { defaultProps: { inputProps: { onClick: clearFile } } },
  },
})

/** A browser reports no change when the same file is chosen again, such as one that was corrected in between. */
function clearFile({ currentTarget }: MouseEvent<HTMLInputElement>): void {
  currentTarget.value = ''
}

/** Quiet texts and badges must be readable: some colors of the library are too pale on white. */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    // The library's own, indigo-2, is too dark behind its text.
    '--mantine-color-indigo-light-hover':
      'color-mix(in srgb, var(--mantine-color-indigo-1), var(--mantine-color-indigo-2))',
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-7)',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
    '--mantine-color-red-filled': 'var(--mantine-color-red-9)',
    '--mantine-color-red-filled-hover': '#b52626',
    '--mantine-color-red-light-color': '#b52626',
    '--mantine-color-cyan-light-color': '#0a6778',
    '--mantine-color-teal-light-color': '#076c4d',
    '--mantine-color-green-light-color': '#226e32',
    '--mantine-color-lime-light-color': '#456f0a',
    '--mantine-color-yellow-light-color': '#954d00',
    '--mantine-color-orange-light-color': '#a3360b',
  },
  dark: {
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-placeholder': 'var(--mantine-color-dark-1)',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
  },
})
