import type { CsvAttributes, CsvChoices, CsvColumns, CsvTarget } from '@storefront/contracts/product-csv'
import { targetsOf } from './column-meanings.ts'

/** Names that columns have in the files of other systems, in English and German. */
const NAMES: readonly (readonly [CsvTarget, string])[] = [
  [
    'Handle',
    'handle slug url urlkey permalink model modelnumber modell modellnummer style stylenumber parent parentsku',
  ],
  ['Title', 'title name productname producttitle product itemname titel bezeichnung artikelname artikelbezeichnung'],
  ['Title', 'produktname produkt artikel'],
  ['Variant Price', 'price unitprice retailprice preis vk vkpreis verkaufspreis bruttopreis'],
  ['Variant SKU', 'sku itemnumber itemno articlenumber productnumber artikelnummer artikelnr artnr bestellnummer'],
  ['Variant Inventory Qty', 'stock quantity qty inventory onhand bestand lagerbestand lager menge anzahl'],
  ['Option1 Value', 'color colour size variant length width farbe größe grösse groesse variante länge weite'],
  ['Option2 Value', 'color colour size variant length width farbe größe grösse groesse variante länge weite'],
  ['Option3 Value', 'color colour size variant length width farbe größe grösse groesse variante länge weite'],
  [
    'Body (HTML)',
    'description body text longdescription beschreibung langtext produktbeschreibung artikelbeschreibung',
  ],
  ['Vendor', 'vendor brand manufacturer maker supplier hersteller marke lieferant'],
  ['Type', 'type category producttype typ kategorie warengruppe produkttyp'],
  ['Tags', 'tags keywords schlagwörter schlagworte stichwörter stichworte'],
  ['Published', 'published visible active online sichtbar aktiv veröffentlicht'],
  ['Status', 'status'],
  ['Variant Compare At Price', 'compareatprice oldprice rrp msrp listprice uvp streichpreis alterpreis listenpreis'],
  ['Image Src', 'image images imageurl picture pictures photo bild bilder bildurl foto'],
  ['Image Position', 'imageposition bildposition'],
  ['Image Alt Text', 'alt alttext imagealt bildbeschreibung'],
  ['Variant Image', 'variantimage variantenbild'],
  ['care', 'care careinstructions pflege pflegehinweis pflegehinweise'],
]

/** What a column probably means, by its name. */
export function suggestionsFor(name: string, attributes: CsvAttributes): CsvTarget[] {
  const wanted = lettersOf(name)
  const known = NAMES.flatMap(([target, names]) => (names.split(' ').includes(wanted) ? [target] : []))
  const specs = attributes.flatMap(({ key, label }): CsvTarget[] =>
    [key, label].some((each) => lettersOf(each) === wanted) ? [`specs.${key}`] : [],
  )
  return [...known, ...specs]
}

/** The choices, with the first free suggestion for each column that has no meaning yet. */
export function withSuggestions(columns: CsvColumns, attributes: CsvAttributes, choices: CsvChoices): CsvChoices {
  const next = new Map(choices)
  const targets = targetsOf(columns)
  const taken = new Set(targets.values())
  for (const [index, name] of columns.names.entries()) {
    if (targets.has(index) || choices.has(name)) continue
    const target = suggestionsFor(name, attributes).find((each) => !taken.has(each))
    if (target === undefined) continue
    taken.add(target)
    next.set(name, target)
  }
  return next
}

function lettersOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
}
