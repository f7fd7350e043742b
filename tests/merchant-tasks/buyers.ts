const SURNAMES = ['Hopper', 'Lovelace', 'Noether', 'Anning', 'Germain', 'Herschel']

/** A buyer of this round, and the part of the name that the merchant remembers. */
export function buyerOf(round: number): { firstName: string; lastName: string; part: string } {
  const surname = SURNAMES[(round - 1) % SURNAMES.length] ?? ''
  const lastName = round > SURNAMES.length ? `${surname}${round}` : surname
  return { firstName: 'Grace', lastName, part: lastName.slice(0, 5) }
}
