import { usePage } from '../../layout/page-context.ts'
import type { Product } from '../../shop/catalog.ts'

/** Counts of buyers and of saves, where the shop wants them shown, from the number that it sets. */
export function SocialProof({ product: { social } }: { product: Product }) {
  const { frame, language } = usePage()
  const { showSocialProof, socialProofThresholds: thresholds } = frame.settings.trust ?? {}
  if (showSocialProof !== true || !social) return null
  const bought = reaches(social.boughtLast30Days, thresholds?.bought) && social.boughtLast30Days
  const saved = reaches(social.savedCount, thresholds?.saved) && social.savedCount
  if (bought === false && saved === false) return null
  return (
    <ul class="social">
      {bought !== false && <li>{language.t('product.bought', { count: bought })}</li>}
      {saved !== false && <li>{language.t('product.savedBy', { count: saved })}</li>}
    </ul>
  )
}

/** Without a number of the shop only counts of nothing are hidden. */
function reaches(count: number, threshold: number | null | undefined): boolean {
  return count > 0 && count >= (threshold ?? 1)
}
