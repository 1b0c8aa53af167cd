import { amountText } from './billing-figures.ts'

/** The text up to the cents, and the three decimals after them. */
const parts = /^(.*)(\d{3})$/

/**
 * A sum with five decimals. The last three are dimmed: cards are charged in whole cents. Not for a
 * price per hour, where they count.
 */
export function Amount({ value }: { value: string }) {
  const text = amountText(value)
  const [, cents = text, rest = ''] = parts.exec(text) ?? []
  return (
    <span>
      {cents}
      <span className="font-normal text-muted">{rest}</span>
    </span>
  )
}
