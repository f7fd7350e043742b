import { z } from 'zod'
import { OpaqueId } from '../ids.ts'
import { declareReadOnly } from '../read-only-fields.ts'

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

/**
 * Names that were in that list before: still accepted, but no longer offered, because the storefront has no drawing for
 * them.
 */
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

/** A picture beside a text as a merchant writes it. A storefront uses it as an address: it must not be a script. */
export const Icon = z
  .union(
    [z.enum([...ICONS, ...FORMER_ICONS]), text(2000).regex(/^(?:https?:\/\/|\/(?![/\\]))\S+$/, ICON_RULE)],
    ICON_RULE,
  )
  .meta({ id: 'Icon' })
  .describe('One of `icons` of GET /attributes, an http(s) address of a picture or a path on this server.')

/** The same as it is read. */
export const ShownIcon = z.string().describe('One of `icons` of GET /attributes, or the address of a picture.')

const attribute = {
  key: z.string().describe('Used by products in `specs` and `highlights`.'),
  label: z.string().describe('Text that shoppers see in place of the key.'),
  group: z.string().describe('Id of the section of the specification table; see `groups` of GET /attributes.'),
  unit: z.string().optional().describe('Shown in brackets after the label; left out if values contain their own.'),
}

/** One row of the vocabulary: a suggestion, since a product may store any key. */
export const Attribute = z
  .object({
    ...attribute,
    key: attribute.key.min(1),
    highlight: z.boolean().describe('Whether an editor suggests it first for highlights.'),
    values: z.array(z.string()).optional().describe('Suggestions; any other value may be stored on a product.'),
    custom: z
      .literal(true)
      .optional()
      .describe("True for an attribute of the store's library; left out for a built-in one."),
  })
  .meta({ id: 'Attribute' })
export type Attribute = z.output<typeof Attribute>

const AttributeGroup = z.object({
  id: z.string().min(1).describe('The value of `group` of an attribute.'),
  label: z.string().describe('Heading of the section of the specification table.'),
})

/** For an item that a store saved. */
const libraryId = z.string().describe('For changing and deleting the item in the library.')

/** An assurance to choose from; without an id it is built in. */
const SuggestedAssurance = z.object({
  id: libraryId.optional().describe('Id in the library of the store; left out for a built-in assurance.'),
  icon: ShownIcon,
  label: z.string().describe('The promise in a few words, such as `Free returns`.'),
  note: z.string().optional().describe('What the promise means, such as `Within 30 days, unworn`.'),
})

export const LibraryAttribute = z.object({
  id: libraryId,
  ...attribute,
  values: z.array(z.string()).describe('Every value that was saved for the key, or found on a product.'),
  custom: z.literal(true).describe('Always true: built-in attributes are not in the library.'),
})
export type LibraryAttribute = z.output<typeof LibraryAttribute>

const LibraryFeature = z.object({
  id: libraryId,
  icon: ShownIcon,
  title: z.string().describe('Heading of the feature card.'),
  body: z.string().describe('Text of the feature card.'),
})

const LibraryAssurance = SuggestedAssurance.extend({ id: libraryId })

/** The items that a store has saved for its products. */
export const Library = z
  .object({
    attributes: z.array(LibraryAttribute).describe('Saved by hand, or learned from products that used an unknown key.'),
    features: z.array(LibraryFeature).describe('Cards to choose from for the product page, as they were saved.'),
    assurances: z.array(LibraryAssurance).describe('Promises to choose from for the buy button, as they were saved.'),
  })
  .meta({ id: 'Library' })
export type Library = z.output<typeof Library>

/** The kinds of items in a library; also the last segment of their paths. */
export const LIBRARY_KINDS = ['attributes', 'features', 'assurances'] as const
export const LibraryKind = z.enum(LIBRARY_KINDS)
export type LibraryKind = z.output<typeof LibraryKind>

export const LibraryItem = z.union([LibraryAttribute, LibraryFeature, LibraryAssurance]).meta({ id: 'LibraryItem' })
export type LibraryItem = z.output<typeof LibraryItem>

/** The reply of GET /attributes: the built-in vocabulary merged with the store's library. */
export const Vocabulary = z
  .object({
    items: z
      .array(Attribute)
      .describe('Built-in attributes and those of the store, which take precedence if the key is the same.'),
    total: z.int().nonnegative().describe('Number of `items`: the vocabulary has no pages.'),
    groups: z.array(AttributeGroup).describe('Sections of the specification table, in their order.'),
    icons: z.array(z.string()).describe('Names of the icons that a storefront can draw.'),
    assurances: z.array(SuggestedAssurance).describe('Built-in assurances to choose from, then those of the store.'),
    features: z.array(LibraryFeature).describe('Feature cards of the store; none are built in.'),
  })
  .meta({ id: 'Vocabulary' })
export type Vocabulary = z.output<typeof Vocabulary>

const itemId = OpaqueId.optional().describe(
  'Id of an item to change, or an id from another shop to keep; left out for a new one.',
)

/** An attribute as a merchant writes it, identified by its key. */
export const LibraryAttributeInput = z.object({
  id: itemId,
  key: filledText(100).describe(
    'Unique in the library; without an id, the values are added to the attribute that has this key.',
  ),
  label: filledText(200).describe('Text that shoppers see in place of the key.'),
  group: filledText(100)
    .default('details')
    .describe('Section of the specification table; a new name creates a new section.'),
  unit: text(50).optional().describe('Shown in brackets after the label, such as `cm`.'),
  values: z.array(filledText(500)).max(10_000).default([]).describe('Values to suggest in the editor.'),
})
export type LibraryAttributeInput = z.output<typeof LibraryAttributeInput>

/** A feature card as a merchant writes it. */
export const LibraryFeatureInput = z.object({
  id: itemId,
  icon: Icon,
  title: filledText(200).describe('Heading of the card.'),
  body: text(2000).describe('Text of the card, without markup.'),
})
export type LibraryFeatureInput = z.output<typeof LibraryFeatureInput>

/** An assurance as a merchant writes it. */
export const LibraryAssuranceInput = z.object({
  id: itemId,
  icon: Icon,
  label: filledText(200).describe('The promise, in a few words.'),
  note: text(500).optional().describe('Details of the promise.'),
})
export type LibraryAssuranceInput = z.output<typeof LibraryAssuranceInput>

declareReadOnly(LibraryAttributeInput, { fixed: ['custom'], live: ['highlight'] })
declareReadOnly(LibraryFeatureInput, { fixed: ['custom'] })
declareReadOnly(LibraryAssuranceInput, { fixed: ['custom'] })
