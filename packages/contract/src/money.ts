import Big from 'big.js'

/** Decimals of every amount: stored as `numeric(20,5)`, sent as text, never a float. */
export const moneyDecimals = 5

/** An amount from its text, rounded half up to five decimals. Throws on anything that is not a decimal. */
export const money = (text: string) => new Big(text).round(moneyDecimals, Big.roundHalfUp)

/** The text that goes over the wire and into the database: always five decimals. */
export const moneyText = (amount: Big) => amount.toFixed(moneyDecimals, Big.roundHalfUp)

/** An amount as people read it: `$1,234.50000`, `-$0.10000`. */
export function formatMoney(text: string) {
  const fixed = moneyText(money(text))
  const [whole = '0', decimals = ''] = fixed.replace('-', '').split('.')
  return `${fixed.startsWith('-') ? '-' : ''}$${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${decimals}`
}
