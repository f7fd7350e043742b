const LETTERS = ['XXXS', 'XXS', 'XS', 'S', 'M', 'L', 'XL', 'XXL', 'XXXL', '4XL', '5XL', '6XL']
const ALIASES: Record<string, string> = { '2XS': 'XXS', '3XS': 'XXXS', '2XL': 'XXL', '3XL': 'XXXL' }

/** Orders sizes: letters from small to large, then numbers, then other texts by name. */
export function byGarmentSize(one: string, other: string): number {
  const [group, place] = rank(one)
  const [otherGroup, otherPlace] = rank(other)
  return group - otherGroup || place - otherPlace || Number(one > other) - Number(one < other)
}

function rank(size: string): [group: number, place: number] {
  const name = size.trim().toUpperCase()
  const letter = LETTERS.indexOf(ALIASES[name] ?? name)
  if (letter >= 0) return [0, letter]
  const number = /^(\d+(?:[.,]\d+)?)/.exec(name)?.[1]
  if (number !== undefined) return [1, Number(number.replace(',', '.'))]
  return [2, 0]
}
