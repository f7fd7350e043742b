export * from './licenses-page.ts'
export * from './lock-file.ts'
export * from './sbom.ts'
