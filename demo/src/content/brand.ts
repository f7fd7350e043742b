export const brand = {
  name: 'Wrenfold',
  tagline: 'Clothes that settle in.',
  address: '48 Harrow Lane\nPortland, OR 97204\nUnited States',
}
