import { defineConfig } from 'rolldown'
import manifest from './package.json' with { type: 'json' }

const declared = Object.keys(manifest.dependencies)

/**
 * Builds the JavaScript of the package. The declared dependencies stay imports; `@storefront/contracts` is not published, so
 * the shapes that the client compares replies with become part of the package.
 */
export default defineConfig({
  input: 'src/index.ts',
  platform: 'neutral',
  external: (id) => declared.some((name) => id === name || id.startsWith(`${name}/`)),
  // Making a shape has no effect by itself: without this every shape of the merchant's side would be in the package too.
  treeshake: { manualPureFunctions: ['z'] },
  transform: { target: 'es2022' },
  output: { dir: 'dist', chunkFileNames: '[name].js', comments: { jsdoc: false } },
})
