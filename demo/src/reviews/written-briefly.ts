import type { Written } from './written.ts'

/** The short ones: a line or two, the way most people write. */
export const writtenBriefly: Record<string, Written[]> = {
  'everyday-crew-tee': [
    [5, 'true', 'L', 'Lichen is my new grey.'],
    [4, 'true', 'S', 'Good weight, good neck. I cut the label out.'],
    [5, 'true', 'M', 'Under a blazer, under a sweater, under a tree with a book.'],
    [3, 'large', 'XXS', 'Nice jersey. Still a bit wide at the waist on a very small frame.'],
  ],
  'washed-oxford-shirt': [
    [5, 'true', 'L', 'Hung it up damp, wore it to a meeting.'],
    [4, 'true', 'M', 'The pocket is the right size for a train ticket and nothing else.'],
    [5, 'true', 'XL', 'My barber asked about it. My barber never asks about anything.'],
  ],
  'harbour-stripe-shirt': [
    [4, 'large', 'M', 'Big and breezy. Tucked in, it needs a belt to look sharp.'],
    [5, 'large', 'S', 'Rust with white jeans. That is the review.'],
  ],
  'heavyweight-pocket-tee': [
    [5, 'true', 'S', 'Dense without being stiff. Two washes and no change in length.'],
    [5, 'true', 'XXL', 'Covers what a T-shirt should cover when I reach for a shelf.'],
    [3, 'true', 'L', 'Stone is quite pink in daylight. The tee itself is excellent.'],
  ],
  'aran-roll-neck-sweater': [
    [5, 'large', 'L', 'Wore it on the harbour wall in February with nothing on top.'],
    [4, 'true', 'S', 'Not for the tube at rush hour. Ideal for everywhere else.'],
  ],
  'fishermans-rib-sweater': [
    [5, 'true', 'M', 'Replaces one I lost in 2009. It was worth the wait.'],
    [4, 'true', 'L', 'Sheds a little in the first week, mostly on the cat, which is fair.'],
  ],
  'lambswool-cardigan': [
    [5, 'true', 'M', 'Heather is exactly the colour of the hill behind my house.'],
    [3, 'true', 'S', 'Lovely wool, but the sleeves could be longer on me at 181.'],
  ],
  'loopback-hoodie': [
    [5, 'large', 'M', 'Cords do not unravel. Small thing, big relief.'],
    [4, 'large', 'S', 'My teenager approved, then took it.'],
  ],
  'indigo-straight-jean': [
    [5, 'small', '26', 'Worn Blue in one size up. I have stopped looking for jeans.'],
    [4, 'small', '30', 'Day one: regret. Day ten: devotion.'],
  ],
  'everyday-chino': [
    [4, 'true', '32', 'Cut well at the back, which is where chinos usually fail.'],
    [5, 'true', '38', 'They go to 38 and fit like someone tried them on a 38.'],
    [4, 'true', '34', 'A touch of stretch, not a legging in disguise.'],
  ],
  'wide-leg-pleated-trouser': [
    [5, 'true', '28', 'Swept into a room in these. Would sweep again.'],
    [3, 'true', '30', 'Cream shows every coffee, as I found out in an hour.'],
  ],
  'storm-trench-coat': [
    [5, 'true', 'S', 'The vent is deep enough for a bicycle. They thought of that.'],
    [4, 'true', 'M', 'Ink is nearly black. I was hoping for a bit more blue.'],
  ],
  'chore-jacket': [
    [4, 'large', 'M', 'Stiff as a door for two weeks. A happy door now.'],
    [3, 'large', 'S', 'Very wide in the body even in S. Returned without trouble.'],
  ],
  'selvedge-jean': [[5, 'small', '36', 'Soaked, dried, cuffed. Shrank exactly as the chart said.']],
  'chelsea-boot': [
    [5, 'true', '44', 'Waxed calf wipes clean with a sleeve. Not that I would.'],
    [4, 'small', '39', 'Thick socks need the next size. The elastic is superb.'],
  ],
  'ribbed-wool-socks': [
    [5, 'true', '40-43', 'No seam at the toe. I am never going back.'],
    [4, 'true', '36-39', 'They stay up through a twelve-hour shift.'],
    [5, 'true', '44-46', 'Bought two pairs as advised. The dryer took one sock.'],
  ],
  'merino-half-zip': [
    [4, 'true', 'M', 'Five days in one carry-on and still fit for dinner.'],
    [5, 'true', 'L', 'The zip is smooth and does not buckle when you sit.'],
    [4, 'small', 'XL', 'Trim through the chest. Fine over a tee, tight over an oxford.'],
  ],
  'duffle-coat': [
    [5, 'large', 'M', 'Can be fastened in mittens. I tested it at a bus stop in sleet.'],
    [4, 'large', 'L', 'Heavy wool and no apology for it.'],
  ],
  'saddle-satchel': [[5, 'true', 'One size', 'The leather has gone two shades darker since spring and so have I.']],
  'penny-loafer': [[3, 'small', '41', 'Elegant. My heel disagreed with them for a fortnight.']],
}
