/** Redoc's default limits would collapse fields, which hides them from the browser's search. */
const OPTIONS = {
  // The whole API is one page, so that the browser's search finds everything.
  disableSearch: true,
  expandResponses: '200,201,202',
  schemasExpansionLevel: 3,
  maxDisplayedEnumValues: 100,
  jsonSamplesExpandLevel: 3,
  // curl and the client come first; the body alone is the last tab.
  payloadSampleIdx: 9,
  hideSchemaPattern: true,
  nativeScrollbars: true,
  theme: {
    colors: { primary: { main: '#1f5fbf' } },
    sidebar: { width: '280px' },
    rightPanel: { backgroundColor: '#1d2630' },
    typography: {
      fontSize: '15px',
      fontFamily: 'system-ui, "Segoe UI", Roboto, Helvetica, Arial, sans-serif',
      headings: { fontFamily: 'system-ui, "Segoe UI", Roboto, Helvetica, Arial, sans-serif', fontWeight: '600' },
      code: { fontFamily: 'ui-monospace, "SF Mono", Menlo, Consolas, monospace', fontSize: '13px' },
    },
  },
}

/**
 * The page of the API reference.
 * @param basePath prefix of every path, such as `/v1`; empty without one
 * @param viewer file name of the viewer's script
 */
export function page(basePath: string, viewer: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Storefront Commerce API</title>
<link rel="icon" href="data:,">
<style>body { margin: 0 }</style>
</head>
<body>
<div id="reference"></div>
<noscript>The OpenAPI description is at <a href="${basePath}/openapi.json">openapi.json</a>.</noscript>
<script src="${basePath}/docs/${viewer}"></script>
<script src="${basePath}/docs/start.js"></script>
</body>
</html>
`
}

/**
 * The script that starts the viewer. It is a file of its own because the Content-Security-Policy allows no script in
 * the page.
 */
export function startScript(basePath: string): string {
  const address = JSON.stringify(`${basePath}/openapi.json`)
  return `Redoc.init(${address}, ${JSON.stringify(OPTIONS)}, document.getElementById('reference'))\n`
}
