import { z } from 'zod'

const addressPart = (description: string) => z.string().max(200).nullish().describe(description)
/** The postal address of the shop, for the footer of its mails. */
export const StoreAddress = z.union(
  [
    z.string().max(500),
    z.looseObject({
      name: addressPart('Name of the company, the first line of the address.'),
      line1: addressPart('Street and number.'),
      line2: addressPart('A second line for the street, such as the floor.'),
      city: addressPart('Town, printed on one line with region and postal code.'),
      region: addressPart('State or province, printed before the postal code.'),
      postalCode: addressPart('In the format of the country.'),
      country: addressPart(
        'ISO 3166-1 code, printed as the name in the language of the shop; other text is printed unchanged.',
      ),
    }),
  ],
  'must be a text of up to 500 characters, or an object with name, line1, line2, city, region, postalCode and country',
)
export type StoreAddress = z.output<typeof StoreAddress>
