import { z } from 'zod'
import { OpaqueId } from '../ids.ts'
import { declareReadOnly } from '../read-only-fields.ts'
import { listOf } from './common.ts'

const text = (max: number) => z.string().max(max)
const filledText = (max: number) => text(max).regex(/\S/, 'must not be blank')

/** The icons that the storefront draws by their name: `icons` of GET /attributes. */
export const ICONS = [
  'award',
  'bag',
  'check',
  'droplet',
  'heart',
  'info',
  'leaf',
  'map-pin',
  'package',
  'recycle',
  'refresh',
  'ruler',
  'search',
  'shield',
  'sparkle',
  'star',
  'sun',
  'thermometer',
  'truck',
  'user',
  'wind',
] as const

/** Names that stood in that list before: still accepted, and offered no more, because the storefront draws nothing for them. */
const FORMER_ICONS = [
  'belt',
  'boot',
  'button',
  'calendar',
  'chat',
  'clock',
  'compass',
  'drop',
  'feather',
  'flame',
  'flower',
  'gift',
  'globe',
  'hand',
  'hanger',
  'hood',
  'iron',
  'label',
  'lock',
  'moon',
  'mountain',
  'needle',
  'pin',
  'pocket',
  'repair',
  'return',
  'scissors',
  'sheep',
  'shirt',
  'shoe',
  'snow',
  'sock',
  'stretch',
  'thread',
  'trousers',
  'umbrella',
  'wash',
  'yarn',
  'zip',
] as const

const ICON_RULE = 'must be one of the icons of GET /attributes, an http(s) address or a path on this server'

/** A picture beside a text as a merchant writes it. A storefront makes an address of it: it must not be one that runs. */
export const Icon = z
  .union(
    [z.enum([...ICONS, ...FORMER_ICONS]), text(2000).regex(/^(?:https?:\/\/|\/(?![/\\]))\S+$/, ICON_RULE)],
    ICON_RULE,
  )
  .meta({ id: 'Icon' })

/** One row of the vocabulary (specification, "Attribute vocabulary item"): a suggestion, any key may stand on a product. */
export const Attribute = z
  .object({
    key: z.string().min(1),
    label: z.string(),
    group: z.string(),
    unit: z.string().optional(),
    highlight: z.boolean(),
    values: z.array(z.string()).optional(),
    custom: z.literal(true).optional(),
  })
  .meta({ id: 'Attribute' })
export type Attribute = z.output<typeof Attribute>

export const AttributeGroup = z.object({ id: z.string().min(1), label: z.string() })
export type AttributeGroup = z.output<typeof AttributeGroup>

/** An assurance to choose from; without an id it is one of ours, not the store's. */
export const SuggestedAssurance = z.object({
  id: z.string().optional(),
  icon: z.string(),
  label: z.string(),
  note: z.string().optional(),
})
export type SuggestedAssurance = z.output<typeof SuggestedAssurance>

export const LibraryAttribute = z.object({
  id: z.string(),
  key: z.string(),
  label: z.string(),
  group: z.string(),
  unit: z.string().optional(),
  values: z.array(z.string()),
  custom: z.literal(true),
})
export type LibraryAttribute = z.output<typeof LibraryAttribute>

export const LibraryFeature = z.object({ id: z.string(), icon: z.string(), title: z.string(), body: z.string() })
export type LibraryFeature = z.output<typeof LibraryFeature>

export const LibraryAssurance = SuggestedAssurance.extend({ id: z.string() })
export type LibraryAssurance = z.output<typeof LibraryAssurance>

/** What a store has saved for use on its products (specification, "Library items"). */
export const Library = z
  .object({
    attributes: z.array(LibraryAttribute),
    features: z.array(LibraryFeature),
    assurances: z.array(LibraryAssurance),
  })
  .meta({ id: 'Library' })
export type Library = z.output<typeof Library>

/** The kinds of items in a library; also the last segment of their addresses. */
export const LIBRARY_KINDS = ['attributes', 'features', 'assurances'] as const
export const LibraryKind = z.enum(LIBRARY_KINDS)
export type LibraryKind = z.output<typeof LibraryKind>

export const LibraryItem = z.union([LibraryAttribute, LibraryFeature, LibraryAssurance]).meta({ id: 'LibraryItem' })
export type LibraryItem = z.output<typeof LibraryItem>

/** The answer of GET /attributes: the built-in vocabulary with the store's library folded in. */
export const Vocabulary = listOf(Attribute)
  .extend({
    groups: z.array(AttributeGroup),
    icons: z.array(z.string()),
    assurances: z.array(SuggestedAssurance),
    features: z.array(LibraryFeature),
  })
  .meta({ id: 'Vocabulary' })
export type Vocabulary = z.output<typeof Vocabulary>

/** An attribute as a merchant writes it; the key says which one it is. */
export const LibraryAttributeInput = z.object({
  id: OpaqueId.optional(),
  key: filledText(100),
  label: filledText(200),
  group: filledText(100).default('details'),
  unit: text(50).optional(),
  values: z.array(filledText(500)).max(10_000).default([]),
})
export type LibraryAttributeInput = z.output<typeof LibraryAttributeInput>

/** A feature card as a merchant writes it. */
export const LibraryFeatureInput = z.object({
  id: OpaqueId.optional(),
  icon: Icon,
  title: filledText(200),
  body: text(2000),
})
export type LibraryFeatureInput = z.output<typeof LibraryFeatureInput>

/** An assurance as a merchant writes it. */
export const LibraryAssuranceInput = z.object({
  id: OpaqueId.optional(),
  icon: Icon,
  label: filledText(200),
  note: text(500).optional(),
})
export type LibraryAssuranceInput = z.output<typeof LibraryAssuranceInput>

declareReadOnly(LibraryAttributeInput, { fixed: ['custom'], live: ['highlight'] })
declareReadOnly(LibraryFeatureInput, { fixed: ['custom'] })
declareReadOnly(LibraryAssuranceInput, { fixed: ['custom'] })
