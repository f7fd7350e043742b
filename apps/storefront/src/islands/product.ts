// oxlint-disable-next-line import/no-unassigned-import -- it runs before this one, in the same turn
import './page.ts'
import { followChoice } from './product/choose-variant.ts'
import { rememberCountry } from './product/delivery-country.ts'
import { moveGallery } from './product/gallery.ts'
import { keepReview } from './product/keep-review.ts'
import { openChart } from './product/open-chart.ts'
import { rememberViewed } from './product/recently-viewed.ts'
import { foldFacts } from './product/fold-facts.ts'
import { showBuyBar } from './product/buy-bar.ts'

// Runs on pages of products.
foldFacts()
moveGallery()
followChoice()
showBuyBar()
openChart()
rememberCountry()
rememberViewed()
keepReview()
