import { getLocale } from '@slipway/phrases'

const days = () => new Intl.DateTimeFormat(getLocale(), { dateStyle: 'medium', timeZone: 'UTC' })

/**
 * A day of an invoice. In UTC, in which bills run: their first day would be the last of the month before
 * where people are behind it. `value` is ISO 8601.
 */
export const InvoiceDay = ({ value }: { value: string }) => (
  <time dateTime={value} className="whitespace-nowrap">
    {days().format(Date.parse(value))}
  </time>
)
