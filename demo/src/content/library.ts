import { cards, promises } from '../catalog/item.ts'

export const library = {
  attributes: [
    { key: 'warmth', label: 'Warmth', group: 'fabric', values: ['2 of 5', '3 of 5', '4 of 5', '5 of 5'] },
    { key: 'gauge', label: 'Knitting gauge', group: 'fabric', values: ['5', '7', '12', '14'] },
    { key: 'transparency', label: 'Transparency', group: 'fabric', values: ['Opaque', 'Slightly sheer in Pearl'] },
    { key: 'crease', label: 'Crease', group: 'construction', values: ['Pressed', 'None'] },
    { key: 'stretch', label: 'Stretch', group: 'fit', values: ['None', '1%', '2%', 'Four-way'] },
  ],
  features: [cards.repair, cards.traceable, cards.warm, cards.dry, cards.breathes],
  assurances: [promises.returns, promises.repaired, promises.plastic, promises.hem],
}
