import { z } from 'zod'
import type { LockedPackage } from './lock-file.ts'

const Component = z.looseObject({
  name: z.string(),
  purl: z.string().optional(),
  licenses: z.array(z.unknown()).optional(),
})

const Bom = z.looseObject({
  bomFormat: z.literal('CycloneDX'),
  specVersion: z.string(),
  metadata: z.looseObject({ component: Component }),
  components: z.array(Component),
})
type Bom = z.output<typeof Bom>

/**
 * Completes the output of `npm sbom`: sets the name of the project, for which npm uses the name of the folder, and adds
 * licenses that are only in files of packages.
 * @param written CycloneDX in JSON
 */
export function completeBom(written: string, project: { name: string }, packages: readonly LockedPackage[]): Bom {
  const bom = Bom.parse(JSON.parse(written))
  const licenses = new Map(packages.map(({ name, version, license }) => [purlOf(name, version), license]))
  return {
    ...bom,
    metadata: { ...bom.metadata, component: { ...bom.metadata.component, name: project.name } },
    components: bom.components.map((component) => {
      const license = licenses.get(component.purl ?? '')
      return component.licenses || license === undefined
        ? component
        : { ...component, licenses: [{ license: { id: license } }] }
    }),
  }
}

/** The name of a package in a CycloneDX document. */
export function purlOf(name: string, version: string): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`
}
