/** Rows that grow evenly from the first size: measured garments, laid flat. */
function graded(labels: string[], first: number[], steps: number[]): (string | number)[][] {
  return labels.map((label, row) => [
    label,
    ...first.map((value, column) => Math.round((value + row * (steps[column] ?? 0)) * 10) / 10),
  ])
}

const note = 'Measured on the garment, laid flat and not stretched. Allow 1 cm either way; cloth is cut by people.'

export const sizeCharts = [
  {
    id: 'women-tops',
    columns: ['Size', 'Chest', 'Shoulder', 'Sleeve', 'Length'],
    rows: graded(['XXS', 'XS', 'S', 'M', 'L', 'XL', 'XXL'], [44, 37, 57, 60], [2.5, 1.2, 0.8, 1.5]),
  },
  {
    id: 'women-dresses',
    columns: ['Size', 'Chest', 'Waist', 'Hip', 'Length'],
    rows: graded(['XS', 'S', 'M', 'L', 'XL'], [42, 34, 46, 112], [2.5, 2.5, 2.5, 1.5]),
  },
  {
    id: 'women-bottoms',
    columns: ['Size', 'Waist', 'Hip', 'Rise', 'Length'],
    rows: graded(['XS', 'S', 'M', 'L', 'XL'], [33, 45, 27, 78], [2.5, 2.5, 0.8, 1]),
  },
  {
    id: 'women-trousers',
    note: `${note} Inseams are left long; hemming is free.`,
    columns: ['Size', 'Waist', 'Hip', 'Rise', 'Inseam'],
    rows: graded(['24', '26', '28', '30', '32', '34'], [32.5, 45, 28, 80], [2.5, 2.5, 0.6, 0.5]),
  },
  {
    id: 'men-tops',
    columns: ['Size', 'Chest', 'Shoulder', 'Sleeve', 'Length'],
    rows: graded(['S', 'M', 'L', 'XL', 'XXL'], [53, 44, 63, 70], [3, 1.5, 1, 2]),
  },
  {
    id: 'men-trousers',
    note: `${note} Inseams are left long; hemming is free.`,
    columns: ['Size', 'Waist', 'Thigh', 'Rise', 'Inseam'],
    rows: graded(['28', '30', '32', '34', '36', '38'], [37.5, 28.5, 26, 84], [2.5, 1.2, 0.6, 0]),
  },
  {
    id: 'men-bottoms',
    columns: ['Size', 'Waist', 'Thigh', 'Rise'],
    rows: graded(['S', 'M', 'L', 'XL', 'XXL'], [36, 30, 28], [3, 1.5, 1]),
  },
  {
    id: 'shoes',
    note: 'Length of the insole. Leave a thumb’s width beyond your toes.',
    columns: ['Size', 'Insole', 'Width'],
    rows: graded(['36', '37', '38', '39', '40', '41', '42', '43', '44', '45'], [23.4, 8.4], [0.66, 0.2]),
  },
  {
    id: 'kids',
    note: 'Measured on the garment. Between two ages, take the larger: they will not wait.',
    columns: ['Size', 'Height', 'Chest', 'Length'],
    rows: graded(['2-3Y', '4-5Y', '6-7Y', '8-9Y'], [98, 33, 40], [12, 2.5, 5]),
  },
].map(({ note: own = note, ...chart }) => ({ ...chart, unit: 'cm', note: own }))
