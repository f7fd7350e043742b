export const brand = {
  name: 'Wrenfold',
  tagline: 'Clothes that settle in.',
}
