import react from '@vitejs/plugin-react'
import { basename, dirname } from 'node:path'
import { defineConfig, type Plugin } from 'vite'

/**
 * All icons are in one module, which every screen would load whole. Each folder gets a copy of the module, with only the
 * icons that the folder uses.
 */
const iconsByFolder: Plugin = {
  name: 'icons-by-folder',
  enforce: 'pre',
  async resolveId(source, importer) {
    if (source !== '@radix-ui/react-icons' || importer === undefined) return null
    const found = await this.resolve(source, importer, { skipSelf: true })
    return found && { ...found, id: `${found.id}?${basename(dirname(importer))}` }
  },
}

/** The gateway serves `dist` below /console, see services/gateway/src/console. */
export default defineConfig({
  root: import.meta.dirname,
  // Addresses relative to the files: a shop may have a base path.
  base: './',
  resolve: { conditions: ['@storefront/source', 'module', 'browser', 'production'] },
  plugins: [iconsByFolder, react()],
  build: {
    target: 'es2023',
    // Older browsers have no light-dark(), and what would replace it there does not know the colors of Mantine.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // Inline modules and data addresses are not allowed by the Content-Security-Policy.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
  },
  // For work on the console: `npm start`, and `npm run dev -w apps/console` beside it.
  server: { port: 5199, proxy: { '/admin': { target: 'http://localhost:8080', changeOrigin: true } } },
})
