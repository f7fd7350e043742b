import { usePage } from '../../layout/page-context.ts'
import type { Product } from '../../shop/catalog.ts'

type FitShares = Readonly<Record<'small' | 'true' | 'large', number>>

export function Fit({ product: { fit } }: { product: Product }) {
  const { frame, language } = usePage()
  const { t } = language
  if (!fit) return null
  const { verdict, feedback, sample = 0, note, model } = fit
  const hasFeedback = feedback !== undefined && sample > 0 && frame.settings.trust?.showFitFeedback !== false
  if (!verdict && !hasFeedback && !note && !model) return null
  return (
    <section class="fit" aria-labelledby="fit-title">
      <h2 id="fit-title">{t('product.fit')}</h2>
      {verdict && <p class="fit-verdict">{t(`product.verdict.${verdict}`)}</p>}
      {hasFeedback && <FitBar shares={feedback} sample={sample} />}
      {note && <p>{note}</p>}
      {model && (
        <p class="hint">
          {model.label ?? t('product.model', { height: language.number(model.height), size: model.size })}
        </p>
      )}
      <p>
        <a href="/pages/size-guide">{t('product.fitHelp')}</a>
      </p>
    </section>
  )
}

/** How buyers found the fit, in percent. */
export function FitBar({ shares, sample }: { shares: FitShares; sample?: number }) {
  const { t, number } = usePage().language
  const parts = ['small', 'true', 'large'] as const
  return (
    <div class="fit-bar">
      <div class="fit-shares" aria-hidden="true">
        {parts.map((part) => (
          <span class={`fit-${part}`} style={{ flexGrow: shares[part] }} />
        ))}
      </div>
      <ul>
        {parts.map((part) => (
          <li>{t(`product.fitShare.${part}`, { percent: number(shares[part]) })}</li>
        ))}
      </ul>
      {sample !== undefined && <p class="hint">{t('product.fitSample', { count: sample })}</p>}
    </div>
  )
}
