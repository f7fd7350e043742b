import { useLanguage } from '../../layout/page-context.ts'

const FABRICS = ['wool', 'cotton', 'linen', 'silk', 'denim', 'down', 'leather'] as const

/** What holds for a fabric in general: each product has its own instructions. */
export function Care() {
  const { t } = useLanguage()
  return (
    <>
      <p>{t('information.careText')}</p>
      {FABRICS.map((fabric) => (
        <section>
          <h2>{t(`information.fabrics.${fabric}.name`)}</h2>
          <p>{t(`information.fabrics.${fabric}.text`)}</p>
        </section>
      ))}
    </>
  )
}
