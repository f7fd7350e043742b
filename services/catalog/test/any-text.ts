import { array, integer, type Arbitrary } from 'fast-check'

const SURROGATES = 0xd800
const AFTER_SURROGATES = 0xe000
const CODE_POINTS = 0x11_0000

/** Texts of any characters. `string` with the unit `binary` would first build a table of them, which takes a second. */
export const anyText = (maxLength: number): Arbitrary<string> =>
  array(integer({ min: 0, max: CODE_POINTS - 1 - (AFTER_SURROGATES - SURROGATES) }), { maxLength }).map((numbers) =>
    String.fromCodePoint(
      ...numbers.map((number) => (number < SURROGATES ? number : number + AFTER_SURROGATES - SURROGATES)),
    ),
  )
