import { z } from 'zod'
import { declareReadOnly } from '../read-only-fields.ts'
import { Icon, ShownIcon } from './vocabulary.ts'

export const FitFeedback = z.object({
  small: z.int().describe('Percent of reviewers who found it small; the three add up to 100, or to 0 without answers.'),
  true: z.int().describe('Percent of reviewers who found it true to size.'),
  large: z.int().describe('Percent of reviewers who found it large.'),
})

export const Fit = z
  .object({
    verdict: z
      .enum(['true-to-size', 'runs-small', 'runs-large'])
      .nullable()
      .optional()
      .describe('How it fits according to the merchant; null or left out if unknown.'),
    feedback: FitFeedback.optional().describe('Summary of published reviews, from five answers on; left out before.'),
    sample: z.int().nonnegative().optional().describe('Number of answers behind `feedback`.'),
    note: z.string().optional().describe('A sentence about the fit, such as `Boxy through the body`.'),
    model: z
      .object({
        height: z.int().describe('Height of the model in cm.'),
        size: z.string().describe('Size that the model wears.'),
        label: z.string().optional().describe('The same as a sentence, such as `Ida is 174 cm and wears S`.'),
      })
      .optional()
      .describe('The model in the pictures of the product.'),
  })
  .meta({ id: 'Fit' })

/** The same as a merchant writes it: `feedback` and `sample` come from the reviews. */
export const FitInput = Fit.omit({ feedback: true, sample: true }).meta({ id: 'FitBody' })
declareReadOnly(FitInput, { live: ['feedback', 'sample'] })

const Composition = z.array(z.tuple([z.string(), z.number()]))

/** The composition of a garment, as a merchant writes it: every part may be left out. */
export const FabricInput = z.object({
  composition: Composition.default([]).describe(
    'Each material with its percentage, such as `["Linen", 100]`; empty when it is not known.',
  ),
  weight: z.number().optional().describe('Grams per square meter.'),
  weave: z.string().optional().describe('How it is woven or knitted, such as `Plain weave`.'),
  origin: z.string().optional().describe('Where the material comes from, as a text for shoppers.'),
  certifications: z.array(z.string()).optional().describe('Certifications, such as `OEKO-TEX Standard 100`.'),
})

/** The same as clients read it: the storefront iterates over `composition` without checking that it exists. */
export const Fabric = FabricInput.extend({
  composition: Composition.describe('Pairs of a material and its percentage; empty when it is not known.'),
}).meta({ id: 'Fabric' })

export const SizeChart = z
  .object({
    id: z.string().min(1).max(200).describe('Referenced by products as `sizeChartId`.'),
    unit: z.string().describe('Unit of the measurements, such as `cm` or `in`.'),
    note: z.string().default('').describe('Shown with the table; empty when there is none.'),
    columns: z.array(z.string()).describe('Headings of the columns; the first column is the size.'),
    rows: z
      .array(z.array(z.union([z.string(), z.number()])))
      .describe('One row for each size: its name, then one measurement of the garment for each further column.'),
  })
  .meta({ id: 'SizeChart' })
export type SizeChart = z.output<typeof SizeChart>

const Feature = z.object({
  icon: ShownIcon,
  title: z.string().describe('Heading of a card on the product page.'),
  body: z.string().describe('Text of a card on the product page.'),
})
const Assurance = z.object({
  icon: ShownIcon,
  label: z.string().describe('A promise under the buy button, such as `Free returns`.'),
  note: z.string().optional().describe('Details of the promise, such as `Within 30 days, unworn`.'),
})

export const Enrichment = z
  .object({
    highlights: z
      .array(
        z.object({
          key: z.string().describe('Key of an attribute of GET /attributes, or any other text.'),
          value: z.string().describe('Value of the attribute for this product, such as `Organic cotton`.'),
        }),
      )
      .optional()
      .describe('Facts to show under the price, in this order; the storefront shows the first six.'),
    features: z.array(Feature).optional().describe('Cards that describe features of the product.'),
    assurances: z.array(Assurance).optional().describe('Promises to show under the buy button.'),
    maker: z
      .object({
        name: z.string().describe('The workshop, mill or person.'),
        location: z.string().describe('Place as a text for shoppers; may be empty.'),
      })
      .optional()
      .describe('Who makes the product.'),
    specs: z
      .record(z.string(), z.string())
      .optional()
      .describe('Values of the specification table by attribute key; GET /attributes has labels and groups.'),
    manufacturer: z
      .record(z.string(), z.string())
      .optional()
      .describe(
        'Legal information: `genericName`, `countryOfOrigin`, `manufacturer`, `packer`, `netQuantity` and `packOf`.',
      ),
  })
  .meta({ id: 'Enrichment' })

/** The blocks of a product as a merchant writes them. */
export const EnrichmentInput = Enrichment.extend({
  features: z
    .array(Feature.extend({ icon: Icon }))
    .optional()
    .describe('Cards in the order in which to show them.'),
  assurances: z
    .array(Assurance.extend({ icon: Icon }))
    .optional()
    .describe('Promises in the order in which to show them.'),
})

export const Social = z.object({
  unitsAvailable: z.int().nonnegative().describe('Units that can be bought now, all variants together.'),
  boughtLast30Days: z.int().nonnegative().describe('Units sold in the last 30 days.'),
  savedCount: z.int().nonnegative().describe('Wishlists that have the product.'),
})
