import { build, defineConfig, type Plugin } from 'vite'
import { writeTypeface } from './subset-typeface.ts'

/**
 * Two builds: `dist/client` is what browsers load, with hashes in the names of its files; `dist/server` is the program
 * that renders the pages.
 */
export default defineConfig(({ isSsrBuild }) => ({
  root: import.meta.dirname,
  resolve: { conditions: ['@storefront/source', 'module', 'browser', 'production'] },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: isSsrBuild ? [] : [{ name: 'typeface', buildStart: writeTypeface }, inlineScripts()],
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
            shopStyle: 'src/styles/shop.css',
            accountStyle: 'src/styles/account.css',
            checkoutStyle: 'src/styles/checkout.css',
            homeStyle: 'src/styles/home.css',
            listStyle: 'src/styles/list.css',
            productStyle: 'src/styles/product.css',
          },
          // What all scripts share, in a file that is small enough for one round trip.
          output: { codeSplitting: { groups: [{ name: 'shared', test: /htmx\.org|islands\/storage/ }] } },
        },
      },
  // The program needs no package beside it, and starts in half the time.
  ssr: { noExternal: true, resolve: { conditions: ['@storefront/source', 'node', 'production'] } },
}))

/** The scripts that are parts of pages are built one by one: each has what it imports in itself. */
function inlineScripts(): Plugin {
  return {
    name: 'inline-scripts',
    async generateBundle() {
      for (const name of ['loader', 'own-contents']) {
        const built = await build({
          configFile: false,
          root: import.meta.dirname,
          publicDir: false,
          logLevel: 'warn',
          build: {
            write: false,
            target: 'es2022',
            rolldownOptions: { input: `src/islands/${name}.ts`, output: { format: 'iife' } },
          },
        })
        const [output] = [built].flat()
        if (!output || !('output' in output)) throw new Error(`${name} was not built`)
        this.emitFile({ type: 'asset', fileName: `inline/${name}.js`, source: output.output[0].code })
      }
    },
  }
}
