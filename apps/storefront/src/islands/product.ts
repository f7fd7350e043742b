// oxlint-disable-next-line import/no-unassigned-import -- it runs before this one, in the same turn
import './page.ts'
import { showBuyBar } from './product/buy-bar.ts'
import { followChoice } from './product/choose-variant.ts'
import { collapseFacts } from './product/collapse-facts.ts'
import { rememberCountry } from './product/delivery-country.ts'
import { moveGallery } from './product/gallery.ts'
import { openChart } from './product/open-chart.ts'
import { rememberViewed } from './product/recently-viewed.ts'
import { reuseReviewForm } from './product/reuse-review-form.ts'

// Runs on pages of products.
collapseFacts()
moveGallery()
followChoice()
showBuyBar()
openChart()
rememberCountry()
rememberViewed()
reuseReviewForm()
