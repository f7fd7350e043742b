import type { ComponentChildren } from 'preact'
import { usePage } from '../../layout/page-context.ts'
import { Icon } from '../../parts/icon.tsx'
import type { Product, Vocabulary } from '../../shop/catalog.ts'

type Attribute = Vocabulary['items'][number]

interface FactsProps {
  product: Product
  vocabulary: Vocabulary
}

/** What there is to know about a product, in groups that fold on phones. */
export function Facts(props: FactsProps) {
  return (
    <div class="facts">
      <FabricFacts {...props} />
      <Specifications {...props} />
      <Features {...props} />
      <Points title="details" points={props.product.details} />
      <Points title="care" points={props.product.care} />
      <Manufacturer {...props} />
    </div>
  )
}

type Title = 'fabric' | 'specs' | 'features' | 'details' | 'care' | 'manufacturer'

/** Open, so that everything can be read without a script; on phones a script folds all but the first. */
function Group({ title, children }: { title: Title; children: ComponentChildren }) {
  const { t } = usePage().language
  return (
    <details class="fact-group" id={title} open data-folds>
      <summary>
        <h2>{t(`product.${title}`)}</h2>
      </summary>
      <div class="fact-body">{children}</div>
    </details>
  )
}

function Rows({ rows }: { rows: readonly (readonly [label: string, text: string | undefined])[] }) {
  const filled = rows.filter(([, text]) => text)
  if (filled.length === 0) return null
  return (
    <dl class="rows">
      {filled.map(([label, text]) => (
        <div>
          <dt>{label}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  )
}

function FabricFacts({ product: { fabric } }: FactsProps) {
  const { frame, language } = usePage()
  const { t, number } = language
  if (!fabric) return null
  const { composition, weight, weave, origin } = fabric
  const certifications = frame.settings.trust?.showCertifications === false ? [] : (fabric.certifications ?? [])
  const rows = [
    [t('product.weight'), weight === undefined ? undefined : t('product.gsm', { weight: number(weight) })],
    [t('product.weave'), weave],
    [t('product.origin'), origin],
    [t('product.certifications'), certifications.join(', ')],
  ] as const
  if (composition.length === 0 && !rows.some(([, text]) => text)) return null
  return (
    <Group title="fabric">
      {composition.length > 0 && (
        <ul class="composition">
          {composition.map(([material, percent]) => (
            <li>
              <span>{t('product.material', { material, percent: number(percent) })}</span>
              <span class="bar" aria-hidden="true">
                <span style={{ inlineSize: `${Math.min(100, Math.max(0, percent))}%` }} />
              </span>
            </li>
          ))}
        </ul>
      )}
      <Rows rows={rows} />
    </Group>
  )
}

/** In the groups and the order of the vocabulary; what it does not know comes last, under its own key. */
function Specifications({ product, vocabulary }: FactsProps) {
  const { t } = usePage().language
  const specs = Object.entries(product.enrichment?.specs ?? {})
  if (specs.length === 0) return null
  const known = new Map(vocabulary.items.map((attribute, index) => [attribute.key, { attribute, index }]))
  const sorted = specs.toSorted(([a], [b]) => (known.get(a)?.index ?? Infinity) - (known.get(b)?.index ?? Infinity))
  const groups = [...vocabulary.groups, { id: undefined, label: t('product.otherSpecs') }]
  const groupOf = (key: string) => {
    const group = known.get(key)?.attribute.group
    return vocabulary.groups.some(({ id }) => id === group) ? group : undefined
  }
  return (
    <Group title="specs">
      {groups.map(({ id, label }) => {
        const rows = sorted
          .filter(([key]) => groupOf(key) === id)
          .map(([key, value]) => [labelOf(key, known.get(key)?.attribute), value] as const)
        if (rows.length === 0) return null
        return (
          <div class="spec-group">
            <h3>{label}</h3>
            <Rows rows={rows} />
          </div>
        )
      })}
    </Group>
  )
}

export function labelOf(key: string, attribute: Attribute | undefined): string {
  if (!attribute) return key.charAt(0).toUpperCase() + key.slice(1).replaceAll('-', ' ')
  return attribute.unit ? `${attribute.label} (${attribute.unit})` : attribute.label
}

function Features({ product }: FactsProps) {
  const features = product.enrichment?.features ?? []
  if (features.length === 0) return null
  return (
    <Group title="features">
      <ul class="features">
        {features.map(({ icon, title, body }) => (
          <li>
            <Icon name={icon} />
            <h3>{title}</h3>
            <p class="hint">{body}</p>
          </li>
        ))}
      </ul>
    </Group>
  )
}

function Points({ title, points }: { title: 'details' | 'care'; points: readonly string[] }) {
  if (points.length === 0) return null
  return (
    <Group title={title}>
      <ul class="points">
        {points.map((point) => (
          <li>{point}</li>
        ))}
      </ul>
    </Group>
  )
}

const LEGAL = ['genericName', 'countryOfOrigin', 'manufacturer', 'packer', 'netQuantity', 'packOf'] as const

function Manufacturer({ product }: FactsProps) {
  const { t } = usePage().language
  const { maker, manufacturer } = product.enrichment ?? {}
  const rows = LEGAL.map((key) => [t(`product.legal.${key}`), manufacturer?.[key]] as const)
  if (!maker && !rows.some(([, text]) => text)) return null
  return (
    <Group title="manufacturer">
      {maker && (
        <p class="maker">
          <strong>{maker.name}</strong>
          {maker.location !== '' && <span class="hint"> {maker.location}</span>}
        </p>
      )}
      <Rows rows={rows} />
    </Group>
  )
}

/** Under the price. */
export function Highlights({ product, vocabulary }: FactsProps) {
  const highlights = (product.enrichment?.highlights ?? []).slice(0, 6)
  if (highlights.length === 0) return null
  const attributeOf = (key: string) => vocabulary.items.find((attribute) => attribute.key === key)
  return (
    <dl class="highlights">
      {highlights.map(({ key, value }) => (
        <div>
          <dt>{labelOf(key, attributeOf(key))}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
