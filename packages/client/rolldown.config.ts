import { defineConfig, type Plugin } from 'rolldown'
import { parseAst } from 'rolldown/parseAst'
import { Visitor } from 'rolldown/utils'
import manifest from './package.json' with { type: 'json' }

const declared = Object.keys(manifest.dependencies)

/**
 * Descriptions of fields are for readers of the API reference, and would add half the size of the shapes themselves.
 */
const withoutDescriptions: Plugin = {
  name: 'without-descriptions',
  renderChunk(code) {
    const cuts: [start: number, end: number][] = []
    new Visitor({
      CallExpression({ callee, end }) {
        const isDescription =
          callee.type === 'MemberExpression' &&
          callee.property.type === 'Identifier' &&
          callee.property.name === 'describe'
        if (isDescription) cuts.push([callee.object.end, end])
      },
    }).visit(parseAst(code))
    // From the end, so that earlier positions stay valid.
    return cuts
      .toSorted(([one], [other]) => other - one)
      .reduce((rest, [start, end]) => rest.slice(0, start) + rest.slice(end), code)
  },
}

/**
 * Builds the JavaScript of the package. The declared dependencies stay imports; `@storefront/contracts` is not
 * published, so the shapes that the client validates responses with become part of the package.
 */
export default defineConfig({
  input: 'src/index.ts',
  platform: 'neutral',
  external: (id) => declared.some((name) => id === name || id.startsWith(`${name}/`)),
  // Creating a shape has no side effects: without this every shape of the admin API would be in the package too.
  treeshake: { manualPureFunctions: ['z'] },
  transform: { target: 'es2022' },
  plugins: [withoutDescriptions],
  output: { dir: 'dist', chunkFileNames: '[name].js', comments: { jsdoc: false } },
})
