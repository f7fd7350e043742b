/** Where it is served. */
export const PLACEHOLDER_PATH = '/media/placeholder.svg'

/** Stands in for the picture of a product, category or collection that has none. */
export const PLACEHOLDER_SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 1500" role="img" aria-hidden="true">
<rect width="1200" height="1500" fill="#efece6"/>
<g fill="none" stroke="#b9b2a6" stroke-width="18" stroke-linecap="round" stroke-linejoin="round">
<path d="M600 560c0-70 90-60 90-130a90 90 0 0 0-180 0"/>
<path d="M600 560 260 790c-50 34-26 110 34 110h612c60 0 84-76 34-110Z"/>
</g>
</svg>
`
