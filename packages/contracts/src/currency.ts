// In a separate file, because browsers load it, and nothing else with it.

/**
 * Currencies whose smallest unit is the whole unit. The others that have no decimals in ISO 4217, such as XAF and XOF,
 * are stored, shown and sent in hundredths: with a code added here, stored prices would become a hundred times higher.
 */
const ZERO_DECIMAL = new Set(['JPY', 'KRW', 'VND', 'CLP', 'ISK'])
/** ISO 4217 currencies with a thousandth as their smallest unit. */
const THREE_DECIMAL = new Set(['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND'])

/** Digits after the decimal point when an amount of this currency is shown to a person. */
export function minorUnitDigits(currency: string): number {
  if (ZERO_DECIMAL.has(currency)) return 0
  return THREE_DECIMAL.has(currency) ? 3 : 2
}
