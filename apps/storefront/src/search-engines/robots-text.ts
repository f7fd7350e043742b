import type { StorefrontConfiguration } from '@storefront/contracts/storefront'

type SearchEngineSettings = StorefrontConfiguration['seo']

/** Pages of one shopper, the search, and lists with filters, of which there are more than a crawler can visit. */
const PRIVATE = [
  '/bag/',
  '/account',
  '/order',
  '/wishlist',
  '/alerts/',
  '/newsletter',
  '/search',
  '/api/',
  ...['sizes', 'colors', 'tags', 'min_price', 'max_price', 'in_stock', 'sort', 'cursor'].map((name) => `/*?*${name}=`),
]

/** Crawlers that collect texts for models, by the names that their makers publish. */
const AI_CRAWLERS = [
  'Amazonbot',
  'anthropic-ai',
  'Applebot-Extended',
  'Bytespider',
  'CCBot',
  'ClaudeBot',
  'cohere-ai',
  'Google-Extended',
  'GPTBot',
  'meta-externalagent',
  'PerplexityBot',
]

const CRAWLER_NAME = /^[\w.+ -]{1,80}$/
/** One line, as the format demands. */
const PATH = /^[/*][\x21-\x7e]{0,500}$/

/** @param storefrontUrl the public address of this storefront */
export function robotsText(seo: SearchEngineSettings, storefrontUrl: string): string {
  if (seo?.indexable === false) return 'User-agent: *\nDisallow: /\n'
  const paths = [...PRIVATE, ...(seo?.disallow ?? []).filter((path) => PATH.test(path))]
  const everyone = ['User-agent: *', ...new Set(paths.map((path) => `Disallow: ${path}`))]
  const blocked = blockedCrawlers(seo)
  const others = blocked.length === 0 ? [] : ['', ...blocked.map((name) => `User-agent: ${name}`), 'Disallow: /']
  return [...everyone, ...others, '', `Sitemap: ${storefrontUrl}/sitemap.xml`, ''].join('\n')
}

function blockedCrawlers(seo: SearchEngineSettings): string[] {
  if (seo?.aiCrawlers === 'block') return AI_CRAWLERS
  if (seo?.aiCrawlers !== 'custom') return []
  const isBlocked = (rule: unknown): boolean => rule === false || rule === 'block' || rule === 'disallow'
  const rules = Object.entries(seo.crawlers ?? {})
  return rules.flatMap(([name, rule]) => (isBlocked(rule) && CRAWLER_NAME.test(name) ? [name] : []))
}
