import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import './console.css'
import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { setNonce } from 'get-nonce'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { startMessages } from './messages/messages.ts'
import { NONCE } from './page-settings.ts'
import { queryClient } from './query-client.ts'
import { reloadOnce } from './reload-once.ts'
import { theme, variables } from './theme.ts'
import { requireValidLanguage } from './valid-language.ts'

addEventListener('vite:preloadError', reloadOnce)

// For `react-remove-scroll`, which keeps the page behind a dialog from scrolling by a style element of its own.
setNonce(NONCE)
requireValidLanguage()
void start()

/** A function, because the bundler makes twice as many files when a module awaits. */
async function start(): Promise<void> {
  await startMessages()
  const root = document.querySelector('#root')
  if (!root) throw new Error('the page has no element #root')
  createRoot(root).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        defaultColorScheme="auto"
        cssVariablesResolver={variables}
        getStyleNonce={() => NONCE}
      >
        <QueryClientProvider client={queryClient}>
          <Notifications position="bottom-center" limit={20} className="notices" />
          <App />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  )
}
