import { defineConfig } from 'vite'

/**
 * Two builds: `dist/client` is what browsers load, with hashes in the names of its files; `dist/server` is the program
 * that draws the pages.
 */
export default defineConfig(({ isSsrBuild }) => ({
  root: import.meta.dirname,
  resolve: { conditions: ['@storefront/source', 'module', 'browser', 'production'] },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  publicDir: isSsrBuild ? false : 'public',
  build: isSsrBuild
    ? {
        ssr: true,
        outDir: 'dist/server',
        target: 'node20',
        rolldownOptions: { input: 'src/main.ts', output: { entryFileNames: 'main.js' } },
      }
    : {
        outDir: 'dist/client',
        target: 'es2022',
        cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
        manifest: 'manifest.json',
        // The Content-Security-Policy allows neither inline modules nor data addresses.
        modulePreload: { polyfill: false },
        assetsInlineLimit: 0,
        rolldownOptions: {
          input: {
            page: 'src/islands/page.ts',
            product: 'src/islands/product.ts',
            checkout: 'src/islands/checkout.ts',
            style: 'src/styles/shop.css',
          },
        },
      },
  // The program needs no package beside it, and starts in half the time.
  ssr: { noExternal: true, resolve: { conditions: ['@storefront/source', 'node', 'production'] } },
}))
