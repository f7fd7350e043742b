import { usePage } from '../../layout/page-context.ts'
import type { Product } from '../../shop/catalog.ts'

/** Counts of buyers and of saves, where the shop wants them shown, from the number that it sets. */
export function SocialProof({ product: { social } }: { product: Product }) {
  const { frame, language } = usePage()
  const { showSocialProof, socialProofThresholds: thresholds } = frame.settings.trust ?? {}
  if (showSocialProof !== true || !social) return null
  const showsBought = reaches(social.boughtLast30Days, thresholds?.bought)
  const showsSaved = reaches(social.savedCount, thresholds?.saved)
  if (!showsBought && !showsSaved) return null
  return (
    <ul class="social">
      {showsBought && <li>{language.t('product.bought', { count: social.boughtLast30Days })}</li>}
      {showsSaved && <li>{language.t('product.savedBy', { count: social.savedCount })}</li>}
    </ul>
  )
}

/** Without a number of the shop only counts of nothing are hidden. */
function reaches(count: number, threshold: number | null | undefined): boolean {
  return count > 0 && count >= (threshold ?? 1)
}
